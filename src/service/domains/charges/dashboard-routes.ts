import type { FastifyInstance } from 'fastify'
import { answer } from '../../platform/http/answers/answer.ts'
import type { DashboardAccess } from '../../platform/domain.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import { ChargeParams } from './charge-operations.ts'
import { SearchQuery, toSearch } from './search/charge-filter.ts'
import { toChargeSummary } from './search/charge-summary.ts'
import type { ListCharges } from './search/listed-charges.ts'
import type { TimelineOf } from './timeline/timeline-of.ts'

interface Parts extends Pick<DashboardAccess, 'sessionOf'> {
  listCharges: ListCharges
  timelineOf: TimelineOf
}

const READ = { config: { permission: 'read' } } as const

/** What the dashboard reads of charges. */
export function addChargeDashboardRoutes(
  app: FastifyInstance,
  { listCharges, timelineOf, sessionOf }: Parts,
): void {
  app.get('/api/charges', READ, async (request, reply) => {
    const { merchantId } = sessionOf(request)
    const query = decode(SearchQuery, request.query)
    const { listed, next } = await listCharges(merchantId, toSearch(query), query.limit)
    return answer(reply, 200, 'charge', listed.map(toChargeSummary), next)
  })

  app.get('/api/charges/:id/timeline', READ, async (request, reply) => {
    const { merchantId } = sessionOf(request)
    const { id } = decode(ChargeParams, request.params)
    return answer(reply, 200, 'charge_timeline', await timelineOf(merchantId, id))
  })
}
