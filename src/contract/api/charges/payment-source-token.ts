import * as v from 'valibot'
import { EmailAddress } from '../fields/email-address.ts'
import { addressEntries, isSaidOnce, SAID_TWICE, withFormNames } from '../fields/postal-address.ts'
import { text, isWellFormed } from '../fields/text.ts'
import { BrowserFacts } from './authentication.ts'

const MAX_META_DEPTH = 5
const MAX_META_LENGTH = 4096

/** A merchant's own data, stored with the card: a JSON object of limited depth and length, with well-formed texts. */
export const Meta = v.pipe(
  v.record(v.string(), v.unknown()),
  v.check(
    (meta) => isPlain(meta, MAX_META_DEPTH),
    'meta must be at most 5 levels deep, with well-formed texts',
  ),
  v.check(
    (meta) => JSON.stringify(meta).length <= MAX_META_LENGTH,
    'meta must be at most 4096 characters of JSON',
  ),
)

function isPlain(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return isWellFormed(value)
  if (typeof value !== 'object' || value === null) return true
  return (
    levels > 0 &&
    Object.entries(value).every(([key, inner]) => isWellFormed(key) && isPlain(inner, levels - 1))
  )
}

/** Digits as a form or a server may send them. Spaces and dashes are removed. */
/* @__NO_SIDE_EFFECTS__ */
const digits = (pattern: RegExp, message: string) =>
  v.pipe(
    v.string(),
    v.transform((value) => value.replace(/[\s-]/g, '')),
    v.regex(pattern, message),
  )

const expireMonth = v.pipe(
  v.union([v.string(), v.number()], 'expire_month must be 1 to 12'),
  v.transform(String),
  v.regex(/^(?:0?[1-9]|1[0-2])$/, 'expire_month must be 1 to 12'),
  v.transform(Number),
)

/** Two digits mean this century. Parsed to a year of four digits. */
const expireYear = v.pipe(
  v.union([v.string(), v.number()], 'expire_year must have 2 or 4 digits'),
  v.transform(String),
  v.regex(/^(?:20)?\d{2}$/, 'expire_year must have 2 or 4 digits'),
  v.transform((year) => 2000 + (Number(year) % 100)),
)

/** The card holder's name, contact and address, all optional. */
const holderEntries = {
  first_name: v.optional(text(100)),
  last_name: v.optional(text(100)),
  email: v.optional(EmailAddress),
  phone: v.optional(text(40)),
  ...addressEntries,
  address_company: v.optional(text(200)),
}

/** Body of `POST /v1/payment_sources/tokens` (contract §3). The rules of `src/card` check the card after this. Parsed to the form's names of an address. */
export const TokeniseRequest = v.pipe(
  v.strictObject({
    gateway_id: v.optional(text(40), 'default'),
    type: v.literal('card', "type must be 'card'"),
    card_name: v.optional(text(100)),
    card_number: digits(/^\d{12,19}$/, 'card_number must have 12 to 19 digits'),
    expire_month: expireMonth,
    expire_year: expireYear,
    /** Absent for a card that has none. */
    card_ccv: v.optional(v.pipe(v.string(), v.regex(/^\d{3,4}$/, 'card_ccv must have 3 or 4 digits'))),
    ...holderEntries,
    meta: v.optional(Meta),
    /** For the card holder's bank, if it wants to ask them (contract §4.3). */
    browser: v.optional(BrowserFacts),
  }),
  v.check((given) => isSaidOnce(given), SAID_TWICE),
  v.transform((given) => withFormNames(given)),
)
export type TokeniseRequest = v.InferOutput<typeof TokeniseRequest>

/** The body that the frame sends: the request before it is parsed. */
export type TokeniseBody = v.InferInput<typeof TokeniseRequest>

/** `resource` in the answer to a tokenise request: the one-time token, a UUID. */
export const TokenResource = v.object({ type: v.literal('token'), data: v.pipe(v.string(), v.uuid()) })
