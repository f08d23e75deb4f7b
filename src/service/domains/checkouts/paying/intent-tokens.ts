import { errors, jwtVerify, SignJWT } from 'jose'
import * as v from 'valibot'
import { Identifier } from '../../../../contract/api/fields/identifier.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { LIFETIME_SECONDS } from '../intents/intent.ts'
import type { Intent } from '../intents/intent.ts'
import { shapeOf } from './shape.ts'
import type { SigningKeys } from './signing-keys.ts'

/** Tokens that let a page show and pay one intent: JWTs (RFC 7519) signed by HMAC-SHA256. */
export interface IntentTokens {
  /** The same for the same intent and key, so that it need not be kept. */
  tokenOf: (intent: Intent) => Promise<string>
  /**
   * The id of the intent that a token is for; throws `unauthorized` for a token that we did not sign for a checkout. An
   * expired token passes: `Payers` judges the time by the intent's age, as only the database's clock counts.
   */
  verify: (token: string) => Promise<string>
}

interface Parts {
  keys: SigningKeys
  /** Address of the API: a token of another installation is refused. */
  issuer: string
}

const ALGORITHM = 'HS256'
const AUDIENCE = 'checkout'

/** Our tokens end when their intent does: one with another end is forged, whatever key it was signed with. */
const Claims = v.pipe(
  v.object({ sub: Identifier, iat: v.number(), exp: v.number() }),
  v.check(({ iat, exp }) => exp === iat + LIFETIME_SECONDS),
)

export function createIntentTokens({ keys, issuer }: Parts): IntentTokens {
  return {
    tokenOf(intent) {
      const { id, workflowVersion, createdAt } = intent
      const issuedAt = Math.floor(createdAt.getTime() / 1000)
      return new SignJWT({ version: workflowVersion, shape: { ...shapeOf(intent) } })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: keys.current.id })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + LIFETIME_SECONDS)
        .sign(keys.current.key)
    },
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, ({ kid = '' }) => keyOf(kid), {
          algorithms: [ALGORITHM],
          issuer,
          audience: AUDIENCE,
          requiredClaims: ['iat', 'exp', 'sub'],
          // At this date no token has expired: `exp` is not judged here.
          currentDate: new Date(0),
        })
        return v.parse(Claims, payload).sub
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof v.ValiError) throw tokenRefused()
        throw error
      }
    },
  }

  function keyOf(id: string): Uint8Array {
    const key = keys.byId(id)
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key
  }
}

/** It does not say which part of the token is wrong: that would help a forger. */
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
