import type { FastifyInstance } from 'fastify'
import { notFound } from '../../../platform/errors.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import type { Authenticate } from '../../../platform/http/callers/authenticate.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import type { Operation } from '../../../platform/http/operation.ts'
import { pageOf } from '../../../platform/listing/page-query.ts'
import { positionOf } from '../../../platform/listing/cursor.ts'
import { messageOf } from '../event-kind.ts'
import type { ResourcesAsOf } from '../event-kind.ts'
import type { ToldEvent } from '../webhook.ts'
import type { EventLog } from './event-log.ts'
import { EventParams, EventQuery, eventOperations } from './event-operations.ts'

interface Parts {
  events: EventLog
  resourcesAsOf: ResourcesAsOf
  authenticate: Authenticate<{ id: string }>
}

/** The routes by which a merchant reads what its webhooks are told. */
export function addEventRoutes(app: FastifyInstance, { events, resourcesAsOf, authenticate }: Parts): void {
  const config = (operation: Operation) => ({ config: { resourceType: 'event', operation } })
  const toResource = async (event: ToldEvent) => ({
    _id: event.id,
    ...(await messageOf(resourcesAsOf, event)),
  })

  app.get('/v1/events', config(eventOperations.list), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const query = decode(EventQuery, request.query)
    const filter = {
      type: query.type ?? null,
      from: query['created_at.from'] ?? null,
      to: query['created_at.to'] ?? null,
      after: positionOf(query.cursor ?? ''),
      limit: query.limit,
    }
    const { shown, next } = await pageOf(filter, (page) => events.list(merchant.id, page))
    return answer(reply, 200, 'event', await Promise.all(shown.map(toResource)), next)
  })

  app.get('/v1/events/:id', config(eventOperations.get), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(EventParams, request.params)
    const event = await events.find(merchant.id, id)
    if (event === null) throw notFound('event')
    return answer(reply, 200, 'event', await toResource(event))
  })
}
