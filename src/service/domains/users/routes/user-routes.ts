import type { FastifyInstance } from 'fastify'
import { NoContent } from '../../../../contract/dashboard/people/sign-in.ts'
import {
  PasswordChange,
  TotpConfirmation,
  UserChange,
} from '../../../../contract/dashboard/people/user-settings.ts'
import type { RecoveryCodes } from '../../../../contract/dashboard/people/user-settings.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import type { SessionCookie } from '../sessions/session-cookie.ts'
import type { OwnPassword } from '../settings/own-password.ts'
import type { OwnSessions } from '../settings/own-sessions.ts'
import type { OwnTotp } from '../settings/own-totp.ts'
import type { ActOf } from './act-of.ts'

export interface UserParts {
  ownPassword: Pick<OwnPassword, 'change'>
  ownSessions: Pick<OwnSessions, 'change'>
  ownTotp: OwnTotp
}

/** The routes by which a person changes the own name, password, authenticator app and recovery codes. */
export function addUserRoutes(
  app: FastifyInstance,
  { cookie, actOf }: { cookie: SessionCookie; actOf: ActOf },
  { ownPassword, ownSessions, ownTotp }: UserParts,
): void {
  const own = { resourceType: 'user', permission: 'own_account' } as const
  const config = { config: own }
  const fresh = { config: { ...own, needsFreshPassword: true } }
  const toView = (recovery_codes: string[]): RecoveryCodes => ({ recovery_codes })

  app.patch('/api/user', config, async (request, reply) => {
    const act = actOf(request)
    await ownSessions.change(act, decode(UserChange, request.body))
    return answer(reply, 200, 'user', null)
  })

  app.post('/api/user/password', config, async (request, reply) => {
    const act = actOf(request)
    const change = decode(PasswordChange, request.body, ['old', 'new'])
    cookie.set(reply, await ownPassword.change(act, change))
    return answer(reply, 201, 'user', null)
  })

  app.post('/api/user/totp', fresh, async (request, reply) => {
    const act = actOf(request)
    decode(NoContent, request.body)
    return answer(reply, 201, 'user', await ownTotp.offer(act))
  })

  app.post('/api/user/totp/confirm', config, async (request, reply) => {
    const act = actOf(request)
    const { code } = decode(TotpConfirmation, request.body)
    return answer(reply, 201, 'user', toView(await ownTotp.confirm(act, code)))
  })

  app.delete('/api/user/totp', fresh, async (request, reply) => {
    const act = actOf(request)
    await ownTotp.remove(act)
    return answer(reply, 200, 'user', null)
  })

  app.post('/api/user/recovery_codes', fresh, async (request, reply) => {
    const act = actOf(request)
    decode(NoContent, request.body)
    return answer(reply, 201, 'user', toView(await ownTotp.renewRecoveryCodes(act)))
  })
}
