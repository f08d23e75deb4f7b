import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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
import type { CallerKey } from '../../../platform/http/callers/sender.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import { callerOf } from '../caller-of.ts'
import { secretHashOf } from '../one-time-secret.ts'
import type { Caller } from '../user-events.ts'
import type { SessionCookie } from '../sessions/session-cookie.ts'
import type { SignedIn } from '../sign-in/let-in.ts'
import type { GiveSecondFactor } from '../sign-in/second-factor.ts'
import type { PasskeySignIns } from '../sign-in/passkey-sign-in.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { Invitations } from '../team/invitations.ts'

export interface SignInParts {
  /** Counts one more try of an address; throws `rate_limited` when it is one too many. */
  countTry: (network: CallerKey) => Promise<void>
  /** The same for the step after the password. */
  countSecondFactor: (network: CallerKey) => Promise<void>
  signIn: SignIn
  giveSecondFactor: GiveSecondFactor
  passkeySignIns: PasskeySignIns
  invitations: Invitations
}

/** An e-mail address, a name and a password at their longest, also where each character is an escape of six. */
const SHORT_BODY_BYTES = 4096
/** What browsers give of a passkey has some 2 kB; extensions may add to it. */
const PASSKEY_BODY_BYTES = 16 * 1024

/** The routes by which somebody who is not signed in gets in. Nothing of what they take is kept or logged as it is. */
export function addSignInRoutes(app: FastifyInstance, cookies: Cookies, parts: SignInParts): void {
  const { countTry, countSecondFactor, signIn, giveSecondFactor, passkeySignIns, invitations } = parts
  const session = { resourceType: 'session', permission: 'none' } as const
  const invitation = { resourceType: 'invitation', permission: 'none' } as const
  /** Before the body is read. */
  const counting =
    (count: SignInParts['countTry']) =>
    ({ sender }: FastifyRequest) =>
      count(sender.caller)
  const preParsing = counting(countTry)
  const bodyLimit = SHORT_BODY_BYTES
  const letIn = lettingIn(cookies)

  app.post('/api/session', { config: session, bodyLimit, preParsing }, async (request, reply) => {
    const body = decode(SignInRequest, request.body, ['password'])
    return letIn(request, reply, (caller, oldToken) => signIn(body, caller, oldToken))
  })

  const ofSecondFactor = { config: session, bodyLimit, preParsing: counting(countSecondFactor) }
  app.post('/api/session/second_factor', ofSecondFactor, async (request, reply) => {
    const body = decode(SecondFactorRequest, request.body, ['recovery_code'])
    return letIn(request, reply, (caller, token) => giveSecondFactor(token, body, caller))
  })

  app.post(
    '/api/session/passkey/options',
    { config: session, bodyLimit, preParsing },
    async (request, reply) => {
      decode(NoContent, request.body)
      const options: PasskeyOptions['options'] = {
        ...(await passkeySignIns.options(cookies.cookie.read(request))),
      }
      return answer(reply, 200, 'session', { options })
    },
  )

  const ofPasskey = { config: session, bodyLimit: PASSKEY_BODY_BYTES, preParsing }
  app.post('/api/session/passkey', ofPasskey, async (request, reply) => {
    const { response } = decode(PasskeySignIn, request.body, ['response'])
    return letIn(request, reply, (caller, token) => passkeySignIns.signIn(token, response, caller))
  })

  app.post('/api/invitations/read', { config: invitation, bodyLimit, preParsing }, async (request, reply) => {
    const { token } = decode(InvitationToken, request.body, ['token'])
    const { merchantName, email, role, userId, resetsUserId } = await invitations.read(token)
    const has_account = userId !== null && resetsUserId === null
    const resets_password = resetsUserId !== null
    const view: InvitationOffer = { merchant: merchantName, email, role, has_account, resets_password }
    return answer(reply, 200, 'invitation', view)
  })

  app.post('/api/invitations/accept', { config: session, bodyLimit, preParsing }, async (request, reply) => {
    const body = decode(InvitationAcceptance, request.body, ['token', 'password'])
    return letIn(request, reply, (caller, oldToken) => invitations.accept(body, caller, oldToken))
  })
}

interface Cookies {
  cookie: SessionCookie
  deviceCookie: SessionCookie
}

/** Answers a sign-in with the session's cookie, and once every factor was given with the mark by which the browser is known again. */
function lettingIn({ cookie, deviceCookie }: Cookies) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    signIn: (caller: Caller, oldToken: string | null) => Promise<SignedIn>,
  ) => {
    const mark = markOf(deviceCookie.read(request))
    const caller = { ...callerOf(request), device: `device ${secretHashOf(mark).toString('base64url')}` }
    const { token, state } = await signIn(caller, cookie.read(request))
    cookie.set(reply, token)
    if (state.state === 'signed_in') deviceCookie.set(reply, mark)
    return answer(reply, 201, 'session', state)
  }
}

const MARK = /^[\w-]{43}$/

/** The mark that a browser has, or a new one where it has none. */
function markOf(given: string | null): string {
  return given !== null && MARK.test(given) ? given : randomBytes(32).toString('base64url')
}
