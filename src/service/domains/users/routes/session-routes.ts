import type { FastifyInstance } from 'fastify'
import { PasswordConfirmation } from '../../../../contract/dashboard/people/sign-in.ts'
import type { ConfirmedView } from '../../../../contract/dashboard/people/sign-in.ts'
import { MerchantChoice } from '../../../../contract/dashboard/people/session-view.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import { notSignedIn } from '../../../platform/http/callers/session.ts'
import type { AccountStore } from '../account-store.ts'
import type { SessionCookie } from '../sessions/session-cookie.ts'
import type { OwnPassword } from '../settings/own-password.ts'
import type { OwnSessions } from '../settings/own-sessions.ts'
import type { ActOf } from './act-of.ts'
import { toSessionView } from './resources.ts'

export interface SessionParts {
  accounts: Pick<AccountStore, 'find' | 'merchantsOf'>
  ownSessions: OwnSessions
  ownPassword: Pick<OwnPassword, 'confirm'>
  environment: string
  serviceUrl: string
}

/** The routes on the session that a request carries. */
export function addSessionRoutes(
  app: FastifyInstance,
  { cookie, actOf }: { cookie: SessionCookie; actOf: ActOf },
  parts: SessionParts,
): void {
  const { accounts, ownSessions, ownPassword, environment, serviceUrl } = parts
  const config = { config: { resourceType: 'session', permission: 'own_account' } } as const

  app.get('/api/session', config, async (request, reply) => {
    const { session } = actOf(request)
    const account = await accounts.find(session.user.id)
    if (account === null) throw notSignedIn()
    const merchants = await accounts.merchantsOf(session.user.id)
    return answer(
      reply,
      200,
      'session',
      toSessionView(session, { account, merchants, environment, serviceUrl }),
    )
  })

  app.delete('/api/session', config, async (request, reply) => {
    const act = actOf(request)
    await ownSessions.signOut(act)
    cookie.clear(reply)
    return answer(reply, 200, 'session', null)
  })

  app.post('/api/session/confirm', config, async (request, reply) => {
    const act = actOf(request)
    const { password } = decode(PasswordConfirmation, request.body, ['password'])
    const freshUntil = await ownPassword.confirm(act, password)
    const view: ConfirmedView = { fresh_until: freshUntil.toISOString() }
    return answer(reply, 201, 'session', view)
  })

  app.post('/api/session/merchant', config, async (request, reply) => {
    const act = actOf(request)
    const { id } = decode(MerchantChoice, request.body)
    await ownSessions.chooseMerchant(act, id)
    return answer(reply, 201, 'session', null)
  })
}
