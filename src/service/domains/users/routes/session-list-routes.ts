import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { Identifier } from '../../../../contract/api/fields/identifier.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import type { SessionCookie } from '../sessions/session-cookie.ts'
import type { SessionReads } from '../sessions/session-reads.ts'
import type { OwnSessions } from '../settings/own-sessions.ts'
import type { ActOf } from './act-of.ts'
import { toSessionEntry } from './resources.ts'

const Params = v.object({ id: Identifier })

export interface SessionListParts {
  sessions: Pick<SessionReads, 'list'>
  ownSessions: Pick<OwnSessions, 'end' | 'signOutEverywhere'>
}

/** The routes by which a person sees where there are sessions, and ends them. */
export function addSessionListRoutes(
  app: FastifyInstance,
  { cookie, actOf }: { cookie: SessionCookie; actOf: ActOf },
  { sessions, ownSessions }: SessionListParts,
): void {
  const config = { config: { resourceType: 'session', permission: 'own_account' } } as const

  app.get('/api/sessions', config, async (request, reply) => {
    const { session } = actOf(request)
    const listed = await sessions.list(session.user.id)
    return answer(
      reply,
      200,
      'session',
      listed.map((one) => toSessionEntry(one, session.sessionId)),
    )
  })

  app.delete('/api/sessions', config, async (request, reply) => {
    const act = actOf(request)
    await ownSessions.signOutEverywhere(act)
    cookie.clear(reply)
    return answer(reply, 200, 'session', null)
  })

  app.delete('/api/sessions/:id', config, async (request, reply) => {
    const act = actOf(request)
    const { id } = decode(Params, request.params)
    await ownSessions.end(act, id)
    if (id === act.session.sessionId) cookie.clear(reply)
    return answer(reply, 200, 'session', null)
  })
}
