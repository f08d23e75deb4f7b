import { toJsonSchema } from '@valibot/to-json-schema'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import {
  TEMPLATE_CONTENTS,
  TemplateQuery,
  TemplateRequest,
} from '../../../../contract/api/checkouts/checkout-template.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import type { Authenticate } from '../../../platform/http/callers/authenticate.ts'
import { decode, decodeBody } from '../../../platform/http/requests/decode.ts'
import type { Operation } from '../../../platform/http/operation.ts'
import { pageOf, toFilter } from '../../../platform/listing/page-query.ts'
import type { AnswerIdempotently } from '../../../platform/idempotency.ts'
import { refuseStyles } from './refuse-styles.ts'
import { SchemaParams, TemplateListQuery, TemplateParams, templateOperations } from './template-operations.ts'
import { toTemplateResource } from './template.ts'
import { schemaOf } from './templates.ts'
import type { Templates, TemplateDraft } from './templates.ts'
import type {
  Configuration,
  Customisation,
  TemplateType,
} from '../../../../contract/api/checkouts/checkout-template.ts'

interface Parts {
  templates: Templates
  authenticate: Authenticate<{ id: string }>
  answerIdempotently: AnswerIdempotently
}

const PATH = '/v1/checkouts/templates'

/** Templates of checkouts (contract §5). */
export function addTemplateRoutes(
  app: FastifyInstance,
  { templates, authenticate, answerIdempotently }: Parts,
): void {
  const config = (operation: Operation) => ({ config: { resourceType: 'checkout_template', operation } })

  app.post(PATH, config(templateOperations.create), async (request, reply) => {
    const { id: merchantId } = await authenticate(request, 'secret')
    const { type } = decode(TemplateQuery, request.query)
    const body = decodeBody(TemplateRequest, request.body)
    return answerIdempotently({ request, reply, merchantId }, async () => {
      const made = await templates.create(merchantId, type, decodeTemplate(type, body))
      return { status: 201, type: 'checkout_template', data: toTemplateResource(made) }
    })
  })

  app.get(PATH, config(templateOperations.list), async (request, reply) => {
    const { id: merchantId } = await authenticate(request, 'secret')
    const { type, ...query } = decode(TemplateListQuery, request.query)
    const { shown, next } = await pageOf(toFilter({ ...query, skip: 0 }), (page) =>
      templates.list(merchantId, { type, ...page }),
    )
    return answer(reply, 200, 'checkout_template', shown.map(toTemplateResource), next)
  })

  app.get(`${PATH}/:id`, config(templateOperations.get), async (request, reply) => {
    const { id: merchantId } = await authenticate(request, 'secret')
    const { id } = decode(TemplateParams, request.params)
    return answer(reply, 200, 'checkout_template', toTemplateResource(await templates.get(merchantId, id)))
  })

  app.put(`${PATH}/:id`, config(templateOperations.replace), async (request, reply) => {
    const { id: merchantId } = await authenticate(request, 'secret')
    const { id } = decode(TemplateParams, request.params)
    const body = decodeBody(TemplateRequest, request.body)
    return answerIdempotently({ request, reply, merchantId }, async () => {
      const { type } = await templates.get(merchantId, id)
      const replaced = await templates.replace(merchantId, id, decodeTemplate(type, body))
      return { status: 200, type: 'checkout_template', data: toTemplateResource(replaced) }
    })
  })

  app.get(
    `${PATH}/schemas/:type/:version`,
    { config: { resourceType: 'checkout_template_schema', operation: templateOperations.schema } },
    async (request, reply) => {
      const { type, version } = decode(SchemaParams, request.params)
      const schema = schemaOf<v.GenericSchema>(TEMPLATE_CONTENTS[type], version)
      return answer(reply, 200, 'checkout_template_schema', toJsonSchema(schema, JSON_SCHEMA))
    },
  )
}

/** What a merchant sends, in the words of JSON Schema 2020-12; checks that it has no words for are left out. */
const JSON_SCHEMA = { target: 'draft-2020-12', typeMode: 'input', errorMode: 'ignore' } as const

type AnyContent = v.GenericSchema<unknown, Configuration | Customisation>

/**
 * A template's body, its content as its version's schema has it; throws `unknown_workflow_version`, or `validation_error`
 * with paths below `content`.
 */
function decodeTemplate(type: TemplateType, { content, ...body }: TemplateRequest): TemplateDraft {
  const schema = schemaOf<AnyContent>(TEMPLATE_CONTENTS[type], body.version)
  const draft = { ...body, ...decode(v.object({ content: schema }), { content }) }
  refuseStyles(draft.content)
  return draft
}
