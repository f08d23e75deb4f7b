import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { NewEvent } from '../../../platform/add-event.ts'
import { actorOf } from '../../../platform/http/callers/session.ts'
import { sensitiveIn } from '../../../platform/secrets/secret-in-text.ts'
import type { SessionOfRequest } from './admit-people.ts'
import { isSafe } from './refuse-forged-requests.ts'

interface Parts {
  sessionOf: SessionOfRequest
  /** Adds an event to the audit log. */
  addEvent: (event: NewEvent) => Promise<unknown>
}

/**
 * Each request of a person that may change something becomes an event, whatever became of it: who, from where, what, about
 * what, and how it was answered. It is written before the answer leaves; where that fails, the act has been done already, so
 * the answer stays as it is and the log has the same facts. docs/decisions.md says why it stands beside the domains' own events.
 */
export function recordActs(app: FastifyInstance, { sessionOf, addEvent }: Parts): void {
  app.addHook('onSend', async (request, reply) => {
    const session = isSafe(request.method) ? null : sessionOf(request)
    if (session === null) return
    const event = {
      merchantId: session.merchantId,
      type: 'user.acted',
      actor: actorOf(session),
      subject: subjectOf(request) ?? session.merchantId,
      facts: factsOf(request, reply),
    }
    await addEvent(event).catch((error: unknown) => {
      request.log.error({ err: error, event }, 'an act of the dashboard is not in the audit log')
    })
  })
}

function factsOf(request: FastifyRequest, { statusCode }: FastifyReply): NewEvent['facts'] {
  return {
    act: `${request.method} ${request.routeOptions.url ?? ''}`,
    subject: subjectOf(request),
    address: request.sender.address,
    status: statusCode,
    request_id: request.id,
  }
}

/** The parts of a path that may be logged: ids of resources, keys, events and clients. */
const SUBJECT = /^[\w-]{1,64}$/

/** The last id in the path, which names the innermost resource; null where there is none that may be kept. */
function subjectOf({ params }: FastifyRequest): string | null {
  const ids = typeof params === 'object' && params !== null ? Object.values(params) : []
  const last: unknown = ids.at(-1)
  return typeof last === 'string' && SUBJECT.test(last) && sensitiveIn(last) === null ? last : null
}
