import { errors, jwtVerify, SignJWT } from 'jose'
import * as v from 'valibot'
import { Identifier } from '../../contract/identifier.ts'
import { ServiceError } from '../errors.ts'
import { LIFETIME_SECONDS } from './intent.ts'
import type { Intent } from './intent.ts'
import type { SigningKeys } from './signing-keys.ts'

interface Bearer {
  intentId: string
  /** Its 16 minutes are over; of a paid checkout it may still be told that it is paid. */
  isExpired: boolean
}

/** Tokens that let a page show and pay one intent: JWTs (RFC 7519) signed by HMAC-SHA256. */
export interface IntentTokens {
  /** The same for the same intent and key, so that it need not be kept. */
  tokenOf: (intent: Pick<Intent, 'id' | 'workflowVersion' | 'createdAt'>) => Promise<string>
  /** Throws `unauthorized` for what we did not sign for this, `token_expired` an hour after its end. */
  verify: (token: string) => Promise<Bearer>
}

interface Parts {
  keys: SigningKeys
  /** Address of the API: a token of another installation is none here. */
  issuer: string
  clock: () => number
}

const ALGORITHM = 'HS256'
const AUDIENCE = 'checkout'
/** How long a page that paid in time may go on asking whether it did. */
const GRACE_SECONDS = 3600

const Claims = v.object({ sub: Identifier, exp: v.number() })

export function createIntentTokens({ keys, issuer, clock }: Parts): IntentTokens {
  return {
    tokenOf({ id, workflowVersion, createdAt }) {
      const issuedAt = Math.floor(createdAt.getTime() / 1000)
      return new SignJWT({ version: workflowVersion })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: keys.current.id })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + LIFETIME_SECONDS)
        .sign(keys.current.key)
    },
    async verify(token) {
      const { sub, exp } = await claimsOf(token)
      return { intentId: sub, isExpired: exp * 1000 <= clock() }
    },
  }

  async function claimsOf(token: string): Promise<v.InferOutput<typeof Claims>> {
    try {
      const { payload } = await jwtVerify(token, ({ kid = '' }) => keyOf(kid), {
        algorithms: [ALGORITHM],
        issuer,
        audience: AUDIENCE,
        requiredClaims: ['iat', 'exp', 'sub'],
        clockTolerance: GRACE_SECONDS,
        currentDate: new Date(clock()),
      })
      return v.parse(Claims, payload)
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw tokenExpired()
      if (error instanceof errors.JOSEError || error instanceof v.ValiError) throw tokenRefused()
      throw error
    }
  }

  function keyOf(id: string): Uint8Array {
    const key = keys.byId(id)
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key
  }
}

/** Which part of a token is wrong is nobody's business. */
export function tokenRefused(): ServiceError {
  return new ServiceError(
    'unauthorized',
    'The checkout token is not valid. Pass on the token of POST /v1/checkouts/intent as it is.',
    { challenge: 'Bearer error="invalid_token"' },
  )
}

export function tokenExpired(): ServiceError {
  return new ServiceError(
    'token_expired',
    'The checkout token has expired: it lives 16 minutes. Make a new intent for a new one.',
    { challenge: 'Bearer error="invalid_token"' },
  )
}
