import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PasskeySignIn } from '../../../contract/dashboard/people/passkey.ts'
import type { PasskeyOptions } from '../../../contract/dashboard/people/passkey.ts'
import { NoContent, SecondFactorRequest, SignInRequest } from '../../../contract/dashboard/people/sign-in.ts'
import { InvitationAcceptance, InvitationToken } from '../../../contract/dashboard/people/team.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import type { CallerKey } from '../../platform/http/callers/sender.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import { acceptInvitation } from './accept-invitation.ts'
import type { UsersDeps } from './deps.ts'
import { readInvitation } from './invitations.ts'
import { secretHashOf } from './one-time-secret.ts'
import { createDeviceCookie, deviceMarkOf } from './session-cookies.ts'
import type { Cookie } from './session-cookies.ts'
import { giveSecondFactor, passkeySignInOptions, signIn, signInByPasskey } from './sign-in.ts'
import type { SignedIn } from './sign-in.ts'
import { requesterOf } from './user-context.ts'
import type { Requester } from './user-context.ts'
import { toInvitationOffer } from './user-resource.ts'

/** The longest e-mail address, name and password, even if each character is an escape of six. */
const SHORT_BODY_BYTES = 4096
/** A browser's passkey response has some 2 kB; extensions may add to it. */
const PASSKEY_BODY_BYTES = 16 * 1024

/** The routes that need no session: signing in, and accepting an invitation. */
export function addSignInRoutes(app: FastifyInstance, deps: UsersDeps, cookie: Cookie): void {
  const { throttle } = deps
  const session = { resourceType: 'session', permission: 'none' } as const
  const invitation = { resourceType: 'invitation', permission: 'none' } as const
  /** Runs before the body is read. */
  const counting =
    (count: (network: CallerKey) => Promise<void>) =>
    ({ sender }: FastifyRequest) =>
      count(sender.caller)
  const preParsing = counting(throttle.address)
  const bodyLimit = SHORT_BODY_BYTES
  const answerSignIn = signInAnswers(cookie, createDeviceCookie(deps.dashboardUrl))

  app.post('/api/session', { config: session, bodyLimit, preParsing }, async (request, reply) => {
    const body = decode(SignInRequest, request.body, ['password'])
    return answerSignIn(request, reply, (requester, token) => signIn(deps, body, requester, token))
  })

  const ofSecondFactor = { config: session, bodyLimit, preParsing: counting(throttle.addressOfSecondFactor) }
  app.post('/api/session/second_factor', ofSecondFactor, async (request, reply) => {
    const body = decode(SecondFactorRequest, request.body, ['recovery_code'])
    return answerSignIn(request, reply, (requester, token) => giveSecondFactor(deps, token, body, requester))
  })

  const ofOptions = { config: session, bodyLimit, preParsing }
  app.post('/api/session/passkey/options', ofOptions, async (request, reply) => {
    decode(NoContent, request.body)
    const options: PasskeyOptions['options'] = {
      ...(await passkeySignInOptions(deps, cookie.read(request))),
    }
    return answer(reply, 200, 'session', { options })
  })

  const ofPasskey = { config: session, bodyLimit: PASSKEY_BODY_BYTES, preParsing }
  app.post('/api/session/passkey', ofPasskey, async (request, reply) => {
    const { response } = decode(PasskeySignIn, request.body, ['response'])
    return answerSignIn(request, reply, (requester, token) =>
      signInByPasskey(deps, token, response, requester),
    )
  })

  app.post('/api/invitations/read', { config: invitation, bodyLimit, preParsing }, async (request, reply) => {
    const { token } = decode(InvitationToken, request.body, ['token'])
    return answer(reply, 200, 'invitation', toInvitationOffer(await readInvitation(deps.database, token)))
  })

  app.post('/api/invitations/accept', { config: session, bodyLimit, preParsing }, async (request, reply) => {
    const body = decode(InvitationAcceptance, request.body, ['token', 'password'])
    return answerSignIn(request, reply, (requester, token) => acceptInvitation(deps, body, requester, token))
  })
}

/** Answers with the session's cookie, and once every factor is given with the browser's device cookie. */
function signInAnswers(cookie: Cookie, deviceCookie: Cookie) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    act: (requester: Requester, token: string | null) => Promise<SignedIn>,
  ) => {
    const mark = deviceMarkOf(deviceCookie.read(request))
    const device = `device ${secretHashOf(mark).toString('base64url')}`
    const { token, state } = await act({ ...requesterOf(request), device }, cookie.read(request))
    cookie.set(reply, token)
    if (state.state === 'signed_in') deviceCookie.set(reply, mark)
    return answer(reply, 201, 'session', state)
  }
}
