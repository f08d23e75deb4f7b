import * as v from 'valibot'
import { Meta } from './meta.ts'
import { text } from './text.ts'

/** Digits as a form or a server may send them: spaces and dashes between them are taken out. */
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

/** 2 digits mean this century; comes out with four. */
const expireYear = v.pipe(
  v.union([v.string(), v.number()], 'expire_year must have 2 or 4 digits'),
  v.transform(String),
  v.regex(/^(?:20)?\d{2}$/, 'expire_year must have 2 or 4 digits'),
  v.transform((year) => 2000 + (Number(year) % 100)),
)

/** Names and address of the card's holder, all optional; `card_name` too, which a merchant may leave out of its form. */
const holderEntries = {
  first_name: v.optional(text(100)),
  last_name: v.optional(text(100)),
  email: v.optional(v.pipe(text(254), v.email('email must be an e-mail address'))),
  phone: v.optional(text(40)),
  address_line1: v.optional(text(200)),
  address_line2: v.optional(text(200)),
  address_city: v.optional(text(100)),
  address_state: v.optional(text(100)),
  address_country: v.optional(text(100)),
  address_postcode: v.optional(text(20)),
  address_company: v.optional(text(200)),
}

/** Body of `POST /v1/payment_sources/tokens` (contract §3). What a card may be is judged by `card` after this. */
export const TokeniseRequest = v.object({
  gateway_id: v.optional(text(40), 'default'),
  type: v.literal('card', "type must be 'card'"),
  card_name: v.optional(text(100)),
  card_number: digits(/^\d{12,19}$/, 'card_number must have 12 to 19 digits'),
  expire_month: expireMonth,
  expire_year: expireYear,
  card_ccv: v.pipe(v.string(), v.regex(/^\d{3,4}$/, 'card_ccv must have 3 or 4 digits')),
  ...holderEntries,
  meta: v.optional(Meta),
})
export type TokeniseRequest = v.InferOutput<typeof TokeniseRequest>

/** What the frame sends: the request before the service has parsed it. */
export type TokeniseBody = v.InferInput<typeof TokeniseRequest>
