import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { text } from '../../../../contract/api/fields/text.ts'
import type { ChainView, EventView } from '../../../../contract/dashboard/audit.ts'
import type { DashboardAccess } from '../../../platform/domain.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import { pageEntries, toFilter } from '../../../platform/listing/page-query.ts'
import type { PageFilter } from '../../../platform/listing/page-query.ts'

interface ListedEvent {
  id: string
  type: string
  subject: string
  actor: string
  facts: Readonly<Record<string, unknown>>
  createdAt: Date
}

interface EventFilter extends Pick<PageFilter, 'from' | 'to' | 'after' | 'limit'> {
  type: string | null
  subject: string | null
  actor: string | null
}

interface ChainState {
  length: number
  verifiedLength: number
  verifiedAt: Date | null
  brokenAt: number | null
}

/** What people see of the audit log. */
export interface EventsForPeople {
  page: (merchantId: string, filter: EventFilter) => Promise<{ shown: ListedEvent[]; next: string | null }>
  chainState: () => Promise<ChainState>
}

interface Parts {
  events: EventsForPeople
  sessionOf: DashboardAccess['sessionOf']
}

const { limit, cursor, 'created_at.from': from, 'created_at.to': to } = pageEntries

/** `actor`: one of them, or `people` for all of them that are people. */
const EventQuery = v.strictObject({
  type: v.optional(text(64)),
  subject: v.optional(text(128)),
  actor: v.optional(text(128)),
  'created_at.from': from,
  'created_at.to': to,
  limit,
  cursor,
})

/** The audit log: who did what, from where, and whether it is as it was written. */
export function addAuditRoutes(app: FastifyInstance, { events, sessionOf }: Parts): void {
  const config = (resourceType: string) => ({ config: { permission: 'read', resourceType } }) as const

  app.get('/api/events', config('event'), async (request, reply) => {
    const { merchantId } = sessionOf(request)
    const { type = null, subject = null, actor = null, ...query } = decode(EventQuery, request.query)
    const filter = { ...toFilter({ ...query, skip: 0 }), type, subject, actor }
    const { shown, next } = await events.page(merchantId, filter)
    return answer(reply, 200, 'event', shown.map(toEventView), next)
  })

  app.get('/api/events/chain', config('event_chain'), async (_request, reply) =>
    answer(reply, 200, 'event_chain', toChainView(await events.chainState())),
  )
}

function toEventView({ id, type, subject, actor, facts, createdAt }: ListedEvent): EventView {
  return { id, type, subject, actor, facts, created_at: createdAt.toISOString() }
}

function toChainView({ length, verifiedLength, verifiedAt, brokenAt }: ChainState): ChainView {
  return {
    is_intact: brokenAt === null,
    length,
    verified_length: verifiedLength,
    verified_at: verifiedAt?.toISOString() ?? null,
    broken_at: brokenAt,
  }
}
