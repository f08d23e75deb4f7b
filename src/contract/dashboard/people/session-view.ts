import * as v from 'valibot'
import { Identifier } from '../../api/fields/identifier.ts'
import { Role } from './role.ts'

/**
 * A header of what a page reads by itself, such as a list that follows what happens, while nobody does anything with the page. Such a
 * request does not extend the session, which ends when it was not used for a while.
 */
export const UNATTENDED = 'x-unattended'

const timestamp = v.pipe(v.string(), v.isoTimestamp())

/**
 * A header by which a page says whom and what it shows, as `inViewOf` writes it. Two windows share one session: where another person or
 * another merchant came into view in the other window, this one's requests are refused, so that nothing is done for the wrong merchant.
 */
export const IN_VIEW = 'x-in-view'

/** The same in the query of a file's address: the browser asks for that by itself, without the header. */
export const IN_VIEW_QUERY = 'in_view'

export function inViewOf(userId: string, merchantId: string): string {
  return `${userId} ${merchantId}`
}

/** A person who is signed in; `role` is that at the merchant in view. */
const UserView = v.strictObject({
  id: Identifier,
  email: v.string(),
  name: v.string(),
  role: Role,
  has_totp: v.boolean(),
  passkeys: v.number(),
  recovery_codes_left: v.number(),
})
type UserView = v.InferOutput<typeof UserView>

/** Answer of `GET /api/session`: who is signed in, and which merchant is in view. */
export const SessionView = v.strictObject({
  user: UserView,
  merchant: v.strictObject({ id: Identifier, name: v.string() }),
  /** Every merchant that the person may choose. */
  merchants: v.array(v.strictObject({ id: Identifier, name: v.string(), role: Role })),
  /** Until when acts that need a fresh password are open; null: the password is asked for. */
  fresh_until: v.nullable(timestamp),
  /** IANA name of the zone that times are shown in. */
  time_zone: v.string(),
  environment: v.string(),
  service_url: v.string(),
})
export type SessionView = v.InferOutput<typeof SessionView>

/** One of the places where a person is signed in. */
export const SessionEntry = v.strictObject({
  id: Identifier,
  created_at: timestamp,
  seen_at: timestamp,
  address: v.string(),
  user_agent: v.string(),
  is_current: v.boolean(),
})
export type SessionEntry = v.InferOutput<typeof SessionEntry>

/** Body of `POST /api/session/merchant`: which merchant to view. */
export const MerchantChoice = v.strictObject({ id: Identifier })
