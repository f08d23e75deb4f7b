import type { FastifyInstance, FastifyReply } from 'fastify'
import { PasskeySignIn } from '../../../../contract/dashboard/people/passkey.ts'
import type { PasskeyOptions } from '../../../../contract/dashboard/people/passkey.ts'
import {
  NoContent,
  SecondFactorRequest,
  SignInRequest,
} from '../../../../contract/dashboard/people/sign-in.ts'
import { InvitationAcceptance, InvitationToken } from '../../../../contract/dashboard/people/team.ts'
import type { InvitationOffer } from '../../../../contract/dashboard/people/team.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import { callerOf } from '../caller-of.ts'
import type { SessionCookie } from '../sessions/session-cookie.ts'
import type { SignedIn } from '../sign-in/let-in.ts'
import type { GiveSecondFactor } from '../sign-in/second-factor.ts'
import type { PasskeySignIns } from '../sign-in/passkey-sign-in.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { Invitations } from '../team/invitations.ts'

export interface SignInParts {
  signIn: SignIn
  giveSecondFactor: GiveSecondFactor
  passkeySignIns: PasskeySignIns
  invitations: Invitations
}

/** The routes by which somebody who is not signed in gets in. Nothing of what they take is kept or logged as it is. */
export function addSignInRoutes(app: FastifyInstance, cookie: SessionCookie, parts: SignInParts): void {
  const { signIn, giveSecondFactor, passkeySignIns, invitations } = parts
  const open = { permission: 'none' } as const
  const config = { config: { resourceType: 'session', ...open } }
  const offer = { config: { resourceType: 'invitation', ...open } }
  const letIn = (reply: FastifyReply, { token, state }: SignedIn) => {
    cookie.set(reply, token)
    return answer(reply, 201, 'session', state)
  }

  app.post('/api/session', config, async (request, reply) => {
    const body = decode(SignInRequest, request.body, ['password'])
    return letIn(reply, await signIn(body, callerOf(request), cookie.read(request)))
  })

  app.post('/api/session/second_factor', config, async (request, reply) => {
    const body = decode(SecondFactorRequest, request.body, ['recovery_code'])
    return letIn(reply, await giveSecondFactor(cookie.read(request), body, callerOf(request)))
  })

  app.post('/api/session/passkey/options', config, async (request, reply) => {
    decode(NoContent, request.body)
    const options: PasskeyOptions['options'] = {
      ...(await passkeySignIns.options(cookie.read(request), callerOf(request))),
    }
    return answer(reply, 200, 'session', { options })
  })

  app.post('/api/session/passkey', config, async (request, reply) => {
    const { response } = decode(PasskeySignIn, request.body, ['response'])
    return letIn(reply, await passkeySignIns.signIn(cookie.read(request), response, callerOf(request)))
  })

  app.post('/api/invitations/read', offer, async (request, reply) => {
    const { token } = decode(InvitationToken, request.body, ['token'])
    const { merchantName, email, role, userId, resetsUserId } = await invitations.read(
      token,
      callerOf(request),
    )
    const has_account = userId !== null && resetsUserId === null
    const resets_password = resetsUserId !== null
    const view: InvitationOffer = { merchant: merchantName, email, role, has_account, resets_password }
    return answer(reply, 200, 'invitation', view)
  })

  app.post('/api/invitations/accept', config, async (request, reply) => {
    const body = decode(InvitationAcceptance, request.body, ['token', 'password'])
    return letIn(reply, await invitations.accept(body, callerOf(request), cookie.read(request)))
  })
}
