import * as v from 'valibot'
import { isRealDay } from '../api/fields/moment.ts'
import { TimeZone } from './time-zone.ts'

const timestamp = v.pipe(v.string(), v.isoTimestamp())
const day = v.pipe(
  v.string(),
  v.regex(/^20\d\d-\d\d-\d\d$/, 'must be a day such as 2026-11-22'),
  v.check(isRealDay, 'is no day of the calendar'),
)

/** So many days up to today are shown where none are asked for. */
export const USUAL_DAYS = 30

/** Most days that one overview covers, and most for which it is cut into hours. */
export const MAX_DAYS = 366
export const MAX_DAYS_BY_HOUR = 7

/**
 * Query of `GET /api/overview`: days of the zone, both included. Without days: the last 30, today among them; without a zone: that of who
 * asks. Without `step`: `hour` for up to 2 days, else `day`.
 */
export const OverviewQuery = v.pipe(
  v.strictObject({
    from: v.optional(day),
    to: v.optional(day),
    time_zone: v.optional(TimeZone),
    step: v.optional(v.picklist(['hour', 'day'], 'must be hour or day')),
  }),
  v.forward(
    v.check(({ from, to }) => (from === undefined) === (to === undefined), 'must be given where from is'),
    ['to'],
  ),
)
export type OverviewQuery = v.InferOutput<typeof OverviewQuery>

const Tally = v.strictObject({ count: v.number(), cents: v.number() })
export type Tally = v.InferOutput<typeof Tally>

/** How many there were, and of how much money, in cents of one currency. */
const tallies = {
  /** Sales that the issuer approved: held, or taken at once. */
  authorised: Tally,
  /** Taken: at once, or from a hold. */
  captured: Tally,
  refunded: Tally,
  /** Holds that were released, by the merchant or because their time was over. */
  cancelled: Tally,
  /** Sales that the issuer declined. A sale that never reached the gateway does not count. */
  declined: Tally,
  /** Sales whose card holder their bank has asked, whatever became of them. */
  asked: Tally,
  /** Of these: the bank knows that it was them, or it does not, or they gave up. */
  passed: Tally,
  not_passed: Tally,
  gave_up: Tally,
}

/** Of the sales that an issuer has answered those that it approved, 0 to 1; null where there were none. */
const approvalRate = v.nullable(v.number())

/** What needs somebody, and where the dashboard shows it. */
const NeedsAttention = v.strictObject({
  kind: v.picklist([
    'outcome_unknown',
    'follow_up_unknown',
    'webhook_failing',
    'hold_not_released',
    'hold_ends',
    'agreement_suspended',
    'failed_later',
    'gateway_news',
    'news_not_understood',
    'gateway_silent',
    'dispute_needs_response',
  ]),
  /** Counted up to `MAX_COUNTED`; `is_more`: there are more. */
  count: v.number(),
  is_more: v.boolean(),
  /** Some of them, the most urgent first. `at`: when it was asked for, was sent, ends or has ended, was suspended, or is to be answered. */
  items: v.array(
    v.strictObject({
      id: v.string(),
      /** Of a gateway's notification, which `POST /api/notifications/{id}/dismiss` takes off the list; `id` may be its charge's. */
      notification_id: v.optional(v.string()),
      at: timestamp,
      /** What it is: the type of an attempt, a hold's reference, a webhook's last fault, an agreement's description, why a charge is disputed, what a gateway says. */
      words: v.string(),
      cents: v.nullable(v.number()),
      currency: v.nullable(v.string()),
    }),
  ),
  /** The page that shows each of them, and by which filters it lists them all, named as in its API; null where none does. */
  target: v.strictObject({
    page: v.picklist(['charges', 'disputes', 'webhooks', 'agreements', 'gateways']),
    query: v.nullable(v.record(v.string(), v.string())),
  }),
})
export type NeedsAttention = v.InferOutput<typeof NeedsAttention>

/** Data of `POST /api/notifications/{id}/dismiss`. */
export const DismissedNotification = v.strictObject({ id: v.string() })
export type DismissedNotification = v.InferOutput<typeof DismissedNotification>

/** Up to how many of one kind that needs attention are counted, and shown. */
export const MAX_COUNTED = 1000
export const MAX_SHOWN = 5

/** Data of `GET /api/overview`. */
export const Overview = v.strictObject({
  from: day,
  to: day,
  time_zone: v.string(),
  step: v.picklist(['hour', 'day']),
  /** Events that have happened and are not counted yet: a few at any time, many right after an upgrade or a recount. */
  uncounted: v.number(),
  approval_rate: approvalRate,
  /** One for each currency. */
  totals: v.array(v.strictObject({ currency: v.string(), ...tallies })),
  by_scheme: v.array(
    v.strictObject({ scheme: v.string(), currency: v.string(), approval_rate: approvalRate, ...tallies }),
  ),
  /** The most frequent first. `reason`: an error code of the REST API's kind, with words for it. */
  decline_reasons: v.array(
    v.strictObject({
      reason: v.string(),
      words: v.string(),
      currency: v.string(),
      count: v.number(),
      cents: v.number(),
    }),
  ),
  /** Every hour or day from the first to the last, also those in which nothing happened; `currencies` is empty then. */
  series: v.array(
    v.strictObject({
      starts_at: timestamp,
      currencies: v.array(v.strictObject({ currency: v.string(), ...tallies })),
    }),
  ),
  /** Only kinds of which there are any. */
  needs_attention: v.array(NeedsAttention),
})
export type Overview = v.InferOutput<typeof Overview>
