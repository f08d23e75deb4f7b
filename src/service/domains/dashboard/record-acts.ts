import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addEvent } from '../../platform/events.ts'
import type { NewEvent } from '../../platform/events.ts'
import { actorOf } from '../../platform/http/callers/session.ts'
import type { Platform } from '../../platform/platform.ts'
import { sensitiveIn } from '../../platform/secrets/secret-in-text.ts'
import type { SessionOfRequest } from './permissions.ts'
import { isSafe } from './refuse-forged-requests.ts'

/**
 * Adds an event for each request of a person that may change something: who, from where, what, and how it was answered. The
 * event is written before the answer leaves. If that fails, the change is done already, so the answer stays and the log gets
 * the same facts. docs/decisions.md says why the domains write events of their own, too.
 */
export function recordActs(
  app: FastifyInstance,
  { database, createId }: Pick<Platform, 'database' | 'createId'>,
  sessionOf: SessionOfRequest,
): void {
  app.addHook('onSend', async (request, reply) => {
    const session = isSafe(request.method) ? null : sessionOf(request)
    if (session === null) return
    const event: Omit<NewEvent, 'id'> = {
      merchantId: session.merchantId,
      type: 'user.acted',
      actor: actorOf(session),
      subject: subjectOf(request) ?? session.merchantId,
      facts: factsOf(request, reply),
    }
    await addEvent(database, { id: createId(), ...event }).catch((error: unknown) => {
      request.log.error({ err: error, event }, 'an act of the dashboard is not in the audit log')
    })
  })
}

function factsOf(request: FastifyRequest, { statusCode }: FastifyReply): object {
  return {
    act: `${request.method} ${request.routeOptions.url ?? ''}`,
    subject: subjectOf(request),
    address: request.sender.address,
    status: statusCode,
    request_id: request.id,
  }
}

/** Ids of resources, keys, events and clients. Other parts of a path are not logged. */
const SUBJECT = /^[\w-]{1,64}$/

/** The last id in the path, which names the innermost resource; null if there is none that may be logged. */
function subjectOf({ params }: FastifyRequest): string | null {
  const ids = typeof params === 'object' && params !== null ? Object.values(params) : []
  const last: unknown = ids.at(-1)
  return typeof last === 'string' && SUBJECT.test(last) && sensitiveIn(last) === null ? last : null
}
