import * as v from 'valibot'
import { Identifier } from '../fields/identifier.ts'
import { text } from '../fields/text.ts'

/**
 * Whether a card holder's bank is asked to authenticate them (contract §4.3). `automatic`: where a rule or the bank wants it; `challenge`:
 * with a step for the card holder, wherever the bank can; `never`: a bank that insists declines.
 */
export const AUTHENTICATION_WISHES = ['automatic', 'challenge', 'never'] as const
export type AuthenticationWish = (typeof AUTHENTICATION_WISHES)[number]

/** Why a bank need not ask (PSD2, RTS articles 13, 16, 17 and 18). Gateways that take no such word are sent none. */
export const EXEMPTIONS = [
  'trusted_beneficiary',
  'low_value',
  'secure_corporate_payment',
  'transaction_risk_analysis',
] as const
export type Exemption = (typeof EXEMPTIONS)[number]

/** An authentication that another provider has made. The cryptogram is 20 bytes, and is kept nowhere. */
export const AuthenticationMade = v.strictObject({
  version: v.picklist(['2.1.0', '2.2.0', '2.3.0', '2.3.1'], 'must be 2.1.0, 2.2.0, 2.3.0 or 2.3.1'),
  eci: v.pipe(v.string(), v.regex(/^0[0-7]$/, 'must be two digits: 00 to 07')),
  cryptogram: v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{27}=$/, 'must be 20 bytes as base64')),
  ds_trans_id: v.pipe(
    v.string(),
    v.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'must be a UUID'),
    v.toLowerCase(),
  ),
  trans_status: v.optional(v.picklist(['Y', 'A'], 'must be Y or A')),
})
export type AuthenticationMade = v.InferOutput<typeof AuthenticationMade>

/** What became of an authentication. `pending`: the card holder is being asked. `attempted`: the bank stands in for it (EMV: A). */
export const AUTHENTICATION_STATUSES = [
  'pending',
  'authenticated',
  'attempted',
  'failed',
  'cancelled',
  'timed_out',
  'unavailable',
] as const
export type AuthenticationStatus = (typeof AUTHENTICATION_STATUSES)[number]

const nullableText = v.nullable(v.string())

/** The authentication of a charge (contract §4.3). The answer to the request that creates the charge alone has `token`. */
export const AuthenticationResource = v.strictObject({
  id: Identifier,
  /** For the page: shows the bank's step. */
  token: v.optional(v.string()),
  /** Until when the card holder may finish; null where nobody was asked. */
  expires_at: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  status: v.picklist(AUTHENTICATION_STATUSES),
  /** Why it was asked for: the merchant's wish, the gateway's rules, or the bank, which had declined without it. */
  asked_by: v.picklist(['merchant', 'gateway', 'bank']),
  version: nullableText,
  flow: v.nullable(v.picklist(['frictionless', 'challenge'])),
  /** EMV: Y, A, N, R, U, C, I. */
  trans_status: nullableText,
  /** In words. */
  trans_status_reason: nullableText,
  eci: nullableText,
  ds_trans_id: nullableText,
  /** Whether the bank bears a fraud; null while that is not known. */
  liability_shifted: v.nullable(v.boolean()),
})
export type AuthenticationResource = v.InferOutput<typeof AuthenticationResource>

/** What a browser has to tell a bank of itself; each field as EMV 3DS names its meaning. */
export const BrowserFacts = v.strictObject({
  language: v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,35}$/)),
  /** Minutes from local time to UTC, as `getTimezoneOffset` gives them. */
  time_zone_offset: v.pipe(v.number(), v.integer(), v.minValue(-1440), v.maxValue(1440)),
  screen_width: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(999_999)),
  screen_height: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(999_999)),
  color_depth: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(99)),
})
export type BrowserFacts = v.InferOutput<typeof BrowserFacts>

/**
 * What the page does next. `method`: posts `data` to the bank in a hidden frame, and goes on after 10 s at most. `challenge`: posts `creq` to the bank
 * in a frame that is seen. `redirect`: opens an address, in that frame too.
 */
export const AuthenticationStep = v.variant('kind', [
  v.strictObject({ kind: v.literal('method'), url: v.string(), data: v.string() }),
  v.strictObject({ kind: v.literal('challenge'), url: v.string(), creq: v.string() }),
  v.strictObject({
    kind: v.literal('redirect'),
    url: v.string(),
    method: v.picklist(['GET', 'POST']),
    fields: v.record(v.string(), v.string()),
  }),
])
export type AuthenticationStep = v.InferOutput<typeof AuthenticationStep>

/** What the page learns of an authentication, by its token alone: `GET /v1/authentications/{id}` and the answers to what it tells. */
export const AuthenticationSession = v.strictObject({
  id: Identifier,
  status: v.picklist(AUTHENTICATION_STATUSES),
  /** Null: nothing to show. With status `pending` the answer is on its way: ask again in a moment. */
  step: v.nullable(AuthenticationStep),
  /** Which step it is, from 0: the page shows each once. */
  step_number: v.number(),
  expires_at: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  /** Whether the charge was paid or holds its funds; null while that is open. */
  succeeded: v.nullable(v.boolean()),
  amount: v.number(),
  currency: v.string(),
  card_scheme: v.string(),
  card_number_last4: v.string(),
})
export type AuthenticationSession = v.InferOutput<typeof AuthenticationSession>

/**
 * What the page tells. Nothing of it is believed: it is passed to the gateway, which knows the outcome. `method`: whether the bank's hidden frame
 * has ended by itself. `look`: asks again after the bank's page has sent the browser back.
 */
export const ToldByPage = v.variant('kind', [
  v.strictObject({
    kind: v.literal('method'),
    step_number: v.pipe(v.number(), v.integer(), v.minValue(0)),
    completed: v.boolean(),
  }),
  v.strictObject({ kind: v.literal('look'), step_number: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
])
export type ToldByPage = v.InferOutput<typeof ToldByPage>

/** What the bank's page sends back, by form or address: any of it, as long as Adyen's `redirectResult` may be. */
export const BankReturn = v.pipe(
  v.record(text(100), v.pipe(v.string(), v.maxLength(20_000))),
  v.check((fields) => Object.keys(fields).length <= 20, 'too many fields'),
)
export type BankReturn = v.InferOutput<typeof BankReturn>
