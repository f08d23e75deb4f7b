import * as v from 'valibot'
import { Amount } from '../../api/fields/amount.ts'
import { CHARGE_STATUSES } from '../../api/charges/charge-resource.ts'
import { Identifier } from '../../api/fields/identifier.ts'
import { text } from '../../api/fields/text.ts'
import { IN_VIEW_QUERY } from '../people/session-view.ts'
import { TimeZone } from '../time-zone.ts'

const timestamp = v.pipe(v.string(), v.isoTimestamp())
const nullableText = v.nullable(v.string())

/** The statuses of a charge, and what is neither: its sale was sent, and its outcome is not known although it should be. */
export const LISTED_STATUSES = [...CHARGE_STATUSES, 'outcome_unknown'] as const

/**
 * Which charges are listed: what `GET /api/charges` and `GET /api/charges.csv` take in their queries beside `created_at.from`,
 * `created_at.to` (not included), `limit` and `cursor`. `q` is the id of a charge, of a transaction or of the gateway's for it, a reference
 * or its beginning, the last four digits of a card, the whole name on it, an amount or an e-mail address, as it was typed or pasted. Amounts are decimal texts such as `10.00`, both included.
 */
export const chargeFilterEntries = {
  q: v.optional(text(250)),
  status: v.optional(
    v.picklist(
      LISTED_STATUSES,
      'must be processing, pre_authentication_pending, pending, complete, cancelled, failed, not_authenticated, refunded or outcome_unknown',
    ),
  ),
  scheme: v.optional(v.pipe(text(40), v.regex(/^[a-z-]+$/, 'must be a card scheme such as visa'))),
  gateway_id: v.optional(Identifier),
  'amount.from': v.optional(Amount),
  'amount.to': v.optional(Amount),
}

/**
 * What `GET /api/charges.csv` takes beside the filters: in which zone times are written, and whom and what the page shows. The latter
 * is looked at before the route, as the header of other requests is.
 */
export const exportEntries = {
  time_zone: v.optional(TimeZone, 'UTC'),
  [IN_VIEW_QUERY]: v.optional(v.string()),
}

/** A charge as a list shows it. Amounts are numbers in units of the currency, as in the merchants' REST API. */
export const ChargeSummary = v.strictObject({
  id: Identifier,
  created_at: timestamp,
  status: v.picklist(CHARGE_STATUSES),
  amount: v.number(),
  currency: v.string(),
  captured_amount: v.number(),
  refunded_amount: v.number(),
  /** What card holders dispute of it, disputes that were won aside. */
  disputed_amount: v.number(),
  reference: nullableText,
  description: nullableText,
  customer_name: nullableText,
  customer_email: nullableText,
  card_scheme: v.string(),
  card_last4: v.string(),
  gateway_id: v.string(),
  gateway_name: v.string(),
  /** When the held funds go back by themselves; null unless funds are held. */
  hold_ends_at: v.nullable(timestamp),
  /** The newest attempt has no outcome yet. */
  is_outcome_open: v.boolean(),
  /** Why the charge failed: an error code of the REST API, and words for it. */
  error_code: nullableText,
  error_message: nullableText,
})
export type ChargeSummary = v.InferOutput<typeof ChargeSummary>

/**
 * Data of `GET /api/charges`: newest first. One request looks at a bounded number of charges, so a page may be short, or empty, and
 * still have a `next`: the list ends where `next` is null, and nowhere else.
 */
export const ChargePage = v.array(ChargeSummary)
