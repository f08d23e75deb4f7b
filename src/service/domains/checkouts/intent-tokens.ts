import { errors, jwtVerify, SignJWT } from 'jose'
import * as v from 'valibot'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { TokenKeys } from './deps.ts'
import { LIFETIME_SECONDS } from './intent.ts'
import type { Intent } from './intent.ts'
import { SHAPING_STYLES } from '../../../contract/page/checkout-shape.ts'
import type { CheckoutShape, ShapedForm } from '../../../contract/page/checkout-shape.ts'
import { TEXT_KEYS } from '../../../contract/page/widget-appearance.ts'
import { toSessionResource } from './session-resource.ts'

/**
 * The keys that sign the tokens of intents: the service's secrets, one per master key and under its id, the current one first. So they
 * are rotated with the master keys.
 */
export function tokenKeysOf(secrets: ReadonlyMap<string, Uint8Array>, issuer: string): TokenKeys {
  const [current] = secrets
  if (current === undefined) throw new Error('there is no secret to sign with')
  return { current: { id: current[0], key: current[1] }, byId: (id) => secrets.get(id), issuer }
}

const ALGORITHM = 'HS256'
const AUDIENCE = 'checkout'

/**
 * The token that lets a page show and pay an intent: a JWT (RFC 7519) signed by HMAC-SHA256. It is always the same for the same intent and
 * key, so it need not be kept.
 */
export async function tokenOf({ current, issuer }: TokenKeys, intent: Intent): Promise<string> {
  const { id, workflowVersion, createdAt } = intent
  const issuedAt = Math.floor(createdAt.getTime() / 1000)
  return new SignJWT({ version: workflowVersion, shape: { ...shapeOf(intent) } })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: current.id })
    .setIssuer(issuer)
    .setAudience(AUDIENCE)
    .setSubject(id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(current.key)
}

/** Our tokens end when their intent does: one with another end is forged, whatever key it was signed with. */
const Claims = v.pipe(
  v.object({ sub: Identifier, iat: v.number(), exp: v.number() }),
  v.check(({ iat, exp }) => exp === iat + LIFETIME_SECONDS),
)

/**
 * The id of the intent that a token is for; throws `unauthorized` for a token that we did not sign for a checkout. An expired token
 * passes: its time is judged by the intent's age, as only the database's clock counts.
 */
export async function verifyToken({ byId, issuer }: TokenKeys, token: string): Promise<string> {
  const keyOf = ({ kid = '' }: { kid?: string }) => {
    const key = byId(kid)
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key
  }
  try {
    const { payload } = await jwtVerify(token, keyOf, {
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
}

/** Does not say which part of the token is wrong: that would help a forger. */
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

/** The most characters of a style in the token: enough for a size. */
const MAX_CHARACTERS = 20

/** The shape of an intent's form, for its token: always the same for the same intent. */
export function shapeOf(intent: Intent): CheckoutShape {
  const { configuration, customisation, customisation_since_1_3, description } = toSessionResource(
    intent,
    '',
    null,
  )
  const { fields, card_icons } = configuration
  const { texts, element_styles, theme } = customisation
  const { layout } = customisation_since_1_3
  const { styles } = intent.customisation.content
  const { language } = intent.customisation.content
  const parts = [fields, card_icons, texts, styles, element_styles, theme, layout]
  const form: ShapedForm = {
    ...(theme && { theme }),
    ...(layout && { layout }),
    ...(fields && { fields: fields.map(({ field }) => field) }),
    ...(card_icons && { card_icons }),
    ...(texts && { texts: titlesIn(texts) }),
    ...(styles && { styles: sizesIn(styles) }),
  }
  return {
    description: lengthOf(description ?? ''),
    ...(language && { language }),
    ...(parts.some((part) => part !== undefined) && { form }),
  }
}

/** Characters as wide as they are high: each takes the room of two others. */
const wide =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{Emoji_Presentation}\uff01-\uff60]/u
/** Half-width forms of Katakana and Hangul. */
const narrow = /[\uff61-\uffdc]/
/** Accents and vowel signs above or below another character, and invisible characters. */
const withoutRoom = /[\p{Mn}\p{Cf}]/u

/** The length of a shown text, in characters of usual width. */
function lengthOf(text: string): number {
  return Array.from(text).reduce((length, character) => {
    if (withoutRoom.test(character)) return length
    return length + (wide.test(character) && !narrow.test(character) ? 2 : 1)
  }, 0)
}

function titlesIn(texts: NonNullable<ShapedForm['texts']>): NonNullable<ShapedForm['texts']> {
  const isTitle = (name: string) => name.startsWith('title')
  return Object.fromEntries(
    TEXT_KEYS.filter(isTitle).flatMap((name) => (texts[name] ? [[name, texts[name].slice(0, 1)]] : [])),
  )
}

function sizesIn(styles: NonNullable<ShapedForm['styles']>): NonNullable<ShapedForm['styles']> {
  return Object.fromEntries(
    SHAPING_STYLES.flatMap((name) => {
      const { [name]: size } = styles
      return size === undefined ? [] : [[name, size.slice(0, MAX_CHARACTERS)]]
    }),
  )
}
