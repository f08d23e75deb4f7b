import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { answer } from '../../../platform/http/answers/answer.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import type { DashboardAccess } from '../../../platform/domain.ts'
import { pageEntries, pageOf, toFilter } from '../../../platform/listing/page-query.ts'
import { TemplateParams } from './template-operations.ts'
import { toTemplateUse } from './template-uses.ts'
import type { ListUses } from './template-uses.ts'
import type { Templates } from './templates.ts'

interface Parts extends Pick<DashboardAccess, 'sessionOf'> {
  templates: Pick<Templates, 'get'>
  listUses: ListUses
}

const UsesQuery = v.strictObject({ limit: pageEntries.limit, cursor: pageEntries.cursor })

/** Which checkouts use a template, for the dashboard. */
export function addUseRoutes(app: FastifyInstance, { templates, listUses, sessionOf }: Parts): void {
  const config = { permission: 'read', resourceType: 'template_use' } as const
  app.get('/api/templates/:id/checkouts', { config }, async (request, reply) => {
    const { merchantId } = sessionOf(request)
    const { id } = decode(TemplateParams, request.params)
    const query = decode(UsesQuery, request.query)
    const template = await templates.get(merchantId, id)
    const { shown, next } = await pageOf(toFilter({ ...query, skip: 0 }), (page) => listUses(template, page))
    return answer(reply, 200, 'template_use', shown.map(toTemplateUse), next)
  })
}
