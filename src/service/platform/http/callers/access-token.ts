import type { FastifyRequest } from 'fastify'
import type { Scope } from '../../../../contract/api/scope.ts'
import { ServiceError } from '../../errors.ts'
import type { RateLimit } from '../../rate-limits.ts'
import { take } from './admission.ts'
import type { CountWrongKey } from './admission.ts'

/** A merchant's program that asks with an access token. */
export interface Client {
  merchantId: string
  clientId: string
}

/** `authorize` with its deps, as routes get it. */
export type Authorize = (request: FastifyRequest, scope: Scope) => Promise<Client>

/** The result of checking an access token: its client and scopes, or why it is refused. */
export type VerifiedToken = { client: Client; scopes: readonly Scope[] } | 'invalid' | 'expired' | 'revoked'

/** Checks an access token; throws `service_unavailable` while the issuer's keys can't be had. */
export type VerifyAccessToken = (token: string) => Promise<VerifiedToken>

interface AuthorizeDeps {
  verify: VerifyAccessToken
  /** Of each merchant. */
  requests: RateLimit
  countWrongKey: CountWrongKey
}

/**
 * Finds whose access token a request carries, and counts the request; throws `unauthorized`, `insufficient_scope` or `rate_limited`. Tokens
 * of the header alone count: addresses are logged, and bodies are kept (RFC 6750, sections 2.2 and 2.3).
 */
export async function authorize(
  { verify, requests, countWrongKey }: AuthorizeDeps,
  request: FastifyRequest,
  scope: Scope,
): Promise<Client> {
  const token = accessTokenOf(request)
  const verified = token === null ? 'invalid' : await verify(token)
  // A program whose token has just ended is no attacker, though many requests of it may be on their way.
  if (verified === 'invalid') await countWrongKey(request)
  if (typeof verified === 'string') throw refused(verified)
  request.isIdentified = true
  take(requests, verified.client.merchantId)
  if (!verified.scopes.includes(scope)) throw lacking(scope)
  return verified.client
}

const LONGEST_TOKEN = 8192
/** A scheme's case does not matter (RFC 9110, section 11.1); a JWT has three parts. */
const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i

/** The token of the one `Authorization` header; null where it can be none. Throws when there is nothing of the kind. */
function accessTokenOf({ headers, raw }: FastifyRequest): string | null {
  const { authorization = '' } = headers
  // Node takes the first of several, and what stands before us might have looked at another.
  if (isRepeated(raw.rawHeaders, 'authorization'))
    throw new ServiceError('validation_error', 'Send the header Authorization once.')
  if (!/^Bearer(?: |$)/i.test(authorization))
    throw new ServiceError('unauthorized', 'Send an access token: Authorization: Bearer …', {
      challenge: 'Bearer',
    })
  if (authorization.length > LONGEST_TOKEN) return null
  return BEARER.exec(authorization)?.[1] ?? null
}

/** `rawHeaders`: names and values by turns. */
function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  const found = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name)
  return found.length > 1
}

const WORDS = {
  invalid: 'The access token is not valid here.',
  expired: 'The access token has expired. Ask for a new one.',
  revoked: 'The client of this access token was revoked; the operator of this service makes new ones.',
}

function refused(why: keyof typeof WORDS): ServiceError {
  const words = WORDS[why]
  const challenge = `Bearer error="invalid_token", error_description="${words}"`
  return new ServiceError('unauthorized', words, { challenge })
}

function lacking(scope: Scope): ServiceError {
  const challenge = `Bearer error="insufficient_scope", scope="${scope}"`
  return new ServiceError('insufficient_scope', `The access token lacks the scope ${scope}.`, { challenge })
}
