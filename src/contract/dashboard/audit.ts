import * as v from 'valibot'
import { Identifier } from '../api/fields/identifier.ts'

const timestamp = v.pipe(v.string(), v.isoTimestamp())

/**
 * Who acts, besides people of the dashboard and operators. `debtor`: who pays by an agreement, in its own bank. `card_holder`: who
 * did not confirm a payment at the bank. `gateway`: it told of something that was done there.
 */
export const ACTORS_WITHOUT_ID = ['merchant', 'service', 'debtor', 'card_holder', 'gateway'] as const

/** Who did what an entry of the audit log tells. `merchant`: by a key or an access token. */
export type Actor = (typeof ACTORS_WITHOUT_ID)[number] | `user:${string}` | `operator:${string}`

/** An entry of the audit log, in a page of `GET /api/events`, newest first. */
export const EventView = v.strictObject({
  id: Identifier,
  type: v.string(),
  /** The id of what it is about. */
  subject: v.string(),
  /** An `Actor`. */
  actor: v.string(),
  facts: v.record(v.string(), v.unknown()),
  created_at: timestamp,
})
export type EventView = v.InferOutput<typeof EventView>

/** Answer of `GET /api/events/chain`: whether the audit log is as it was written. */
export const ChainView = v.strictObject({
  /** False once an event was found that is not as it was sealed. */
  is_intact: v.boolean(),
  /** How many events the whole service has sealed. */
  length: v.number(),
  /** How many events the last complete check covered; 0 before the first one has ended. */
  verified_length: v.number(),
  /** When that check ended. */
  verified_at: v.nullable(timestamp),
  /** The first place that is not as it was sealed; null where there is none. */
  broken_at: v.nullable(v.number()),
})
export type ChainView = v.InferOutput<typeof ChainView>
