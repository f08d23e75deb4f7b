import { SignJWT, errors, jwtVerify } from 'jose'
import type { JWTVerifyGetKey, JWTVerifyOptions } from 'jose'
import * as v from 'valibot'
import type { TimeOfDay } from '../../platform/clocks.ts'
import { SCOPES } from '../../../contract/api/scope.ts'
import type { Scope } from '../../../contract/api/scope.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { VerifiedToken } from '../../platform/http/callers/access-token.ts'
import { CLIENT_ID } from './client.ts'
import type { OauthClient } from './client.ts'
import { SIGNING_ALGORITHM } from './signing-keys.ts'
import type { SigningKeys } from './signing-keys.ts'

/** The issuer's clock may be this far from ours. */
const LEEWAY_SECONDS = 60
/** The longest life of a token, whatever its issuer wrote, so that an old one that leaked is useless. */
const LONGEST_LIFE_SECONDS = 86_400

/** Signatures by the issuer's keys alone: never `none`, and no HMAC, whose key could be a public text. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA']
/** Header parameters by which a token would choose how it is checked. A token may name only the id of its key. */
const REFUSED_PARAMETERS = ['crit', 'b64', 'jwk', 'jku', 'x5c', 'x5u']

const seconds = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const Claims = v.object({
  client_id: v.pipe(v.string(), v.regex(CLIENT_ID)),
  sub: v.pipe(v.string(), v.minLength(1), v.maxLength(256)),
  iat: seconds,
  exp: seconds,
  nbf: v.optional(seconds),
  scope: v.optional(v.pipe(v.string(), v.maxLength(2000)), ''),
})
const KeyId = v.pipe(v.string(), v.minLength(1), v.maxLength(200))

export const LIFETIME_SECONDS = 900

interface Issuing {
  keys: SigningKeys
  /** The service's own address: it issues tokens for itself alone. */
  issuer: string
  createId: CreateId
  timeOfDay: TimeOfDay
}

/** Makes an access token of the built-in issuer (RFC 9068). */
export async function issueToken(
  { keys, issuer, createId, timeOfDay }: Issuing,
  clientId: string,
  scopes: readonly Scope[],
): Promise<string> {
  const { id, privateKey } = await keys.current()
  const issuedAt = Math.floor(timeOfDay.epochMs() / 1000)
  return new SignJWT({ client_id: clientId, scope: scopes.join(' ') })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: 'at+jwt', kid: id })
    .setIssuer(issuer)
    .setAudience(issuer)
    .setSubject(clientId)
    .setJti(createId())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(privateKey)
}

interface Verifying {
  keyOf: JWTVerifyGetKey
  issuer: string
  /** The service's address: a token for another service is refused. */
  audience: string
  /** Whether a client is one of this issuer. */
  isOurs: (client: OauthClient) => boolean
  findClient: (clientId: string) => Promise<OauthClient | null>
  timeOfDay: TimeOfDay
}

/** Checks an access token by RFC 9068, section 4, and RFC 8725. Reads its client each time: a revoked one is refused at once. */
export async function verifyToken(
  { keyOf, issuer, audience, isOurs, findClient, timeOfDay }: Verifying,
  token: string,
): Promise<VerifiedToken> {
  if (!isCanonical(token)) return 'invalid'
  const nowMs = timeOfDay.epochMs()
  const claims = await claimsOf(token, keyOf, {
    algorithms: ALGORITHMS,
    typ: 'at+jwt',
    issuer,
    audience,
    currentDate: new Date(nowMs),
    clockTolerance: LEEWAY_SECONDS,
  })
  if (typeof claims === 'string') return claims
  if (!isTimely(claims, nowMs / 1000)) return 'invalid'
  const client = await findClient(claims.client_id)
  return client === null || !isOurs(client) ? 'invalid' : verified(client, claims.scope)
}

/** Whether the bits that base64url leaves over are zero: so a token is written in one way only. */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

async function claimsOf(
  token: string,
  keyOf: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<v.InferOutput<typeof Claims> | 'invalid' | 'expired'> {
  try {
    const { payload } = await jwtVerify(token, guarded(keyOf), options)
    return v.parse(Claims, payload)
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'expired'
    if (error instanceof errors.JOSEError || error instanceof v.ValiError) return 'invalid'
    throw error
  }
}

const guarded =
  (keyOf: JWTVerifyGetKey): JWTVerifyGetKey =>
  (header, token) => {
    if (REFUSED_PARAMETERS.some((name) => Object.hasOwn(header, name)) || !v.is(KeyId, header.kid))
      throw new errors.JWSInvalid('the header is not one of an access token')
    return keyOf(header, token)
  }

/** Refuses tokens that were issued in the future or live too long, which the library does not check. */
function isTimely({ iat, exp }: v.InferOutput<typeof Claims>, nowSeconds: number): boolean {
  return iat <= nowSeconds + LEEWAY_SECONDS && exp > iat && exp - iat <= LONGEST_LIFE_SECONDS
}

/** A token allows no more than its client may do now. */
function verified({ id, merchantId, scopes, revokedAt }: OauthClient, scope: string): VerifiedToken {
  if (revokedAt !== null) return 'revoked'
  const asked = new Set(scope.split(' '))
  return {
    client: { merchantId, clientId: id },
    scopes: SCOPES.filter((one) => asked.has(one) && scopes.includes(one)),
  }
}
