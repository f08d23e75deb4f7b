import * as v from 'valibot'
import { SCOPES } from '../../../../contract/api/scope.ts'
import type { Scope } from '../../../../contract/api/scope.ts'

/** Why a token is not given (RFC 6749, section 5.2). */
export type TokenFault = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope'

/** A refusal of the token endpoint, with words for the developer at the other end. */
export class TokenRefusal extends Error {
  readonly fault: TokenFault

  constructor(fault: TokenFault, words: string) {
    super(words)
    this.name = 'TokenRefusal'
    this.fault = fault
  }
}

/** How a client says who it is. */
export interface ClientCredentials {
  id: string
  secret: string
}

/** Who asks for a token by the client-credentials grant (RFC 6749, section 4.4), and the scopes asked for; throws a `TokenRefusal`. */
export function tokenRequestOf(form: URLSearchParams, authorization: string | undefined) {
  const names = [...form.keys()]
  if (new Set(names).size < names.length)
    throw new TokenRefusal('invalid_request', 'Give each parameter once.')
  // One without a value counts as left out (section 3.2).
  const given = (name: string): string | undefined =>
    form.get(name) === '' ? undefined : (form.get(name) ?? undefined)
  const credentials = credentialsOf(authorization, given('client_id'), given('client_secret'))
  const grantType = given('grant_type')
  if (grantType === undefined) throw new TokenRefusal('invalid_request', 'Give a grant_type.')
  if (grantType !== 'client_credentials')
    throw new TokenRefusal('unsupported_grant_type', 'The only grant_type is client_credentials.')
  return { credentials, scope: given('scope') }
}

/** By HTTP Basic or in the body, not by both (RFC 6749, section 2.3). */
function credentialsOf(
  authorization: string | undefined,
  id: string | undefined,
  secret: string | undefined,
): ClientCredentials {
  if (authorization === undefined) {
    if (id === undefined || secret === undefined) throw unknownClient()
    return { id, secret }
  }
  if (secret !== undefined)
    throw new TokenRefusal('invalid_request', 'Name the client by HTTP Basic or in the body, not by both.')
  const basic = basicCredentialsOf(authorization)
  if (basic === null) throw unknownClient()
  if (id !== undefined && id !== basic.id)
    throw new TokenRefusal('invalid_request', 'client_id names another client than HTTP Basic does.')
  return basic
}

export function unknownClient(): TokenRefusal {
  return new TokenRefusal('invalid_client', 'There is no such client with such a secret.')
}

/** Id and secret are each written as in a form before they are joined (RFC 6749, section 2.3.1). */
function basicCredentialsOf(authorization: string): ClientCredentials | null {
  const encoded = /^Basic +([\w+/-]+={0,2})$/i.exec(authorization)?.[1]
  if (encoded === undefined) return null
  const [, id, secret] = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  if (id === undefined || secret === undefined) return null
  try {
    return { id: formDecoded(id), secret: formDecoded(secret) }
  } catch {
    return null
  }
}

/** Throws a `URIError` on a `%` that begins nothing. */
function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

const isScope = v.picklist(SCOPES)

/** Scopes that are given to a client that asks for these; all of its own when it names none. */
export function grantedScopes(scope: string | undefined, allowed: readonly Scope[]): readonly Scope[] {
  if (scope === undefined) return allowed
  const asked = scope.split(' ')
  const unknown = asked.find((one) => !v.is(isScope, one) || !allowed.includes(one))
  if (unknown !== undefined)
    throw new TokenRefusal('invalid_scope', `This client may have: ${allowed.join(' ')}.`)
  return SCOPES.filter((one) => asked.includes(one))
}
