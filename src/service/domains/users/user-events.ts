import type { Queries } from '../../platform/database/database.ts'
import { addEvent } from '../../platform/events.ts'
import type { NewEvent } from '../../platform/events.ts'
import { actorOf } from '../../platform/http/callers/session.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { Requester, UserContext } from './user-context.ts'

/** What people do at the dashboard, and what is done to their accounts. docs/dashboard.md describes each type. */
type UserEventType =
  | 'user.signed_in'
  | 'user.sign_in_failed'
  | 'user.signed_out'
  | 'user.signed_out_everywhere'
  | 'user.session_ended'
  | 'user.merchant_chosen'
  | 'user.password_confirmed'
  | 'user.password_refused'
  | 'user.password_changed'
  | 'user.changed'
  | 'user.totp_added'
  | 'user.totp_removed'
  | 'user.recovery_codes_made'
  | 'user.passkey_added'
  | 'user.passkey_removed'
  | 'user.reset'
  | 'user.removed'
  | 'member.invited'
  | 'member.joined'
  | 'member.role_changed'
  | 'member.removed'
  | 'invitation.revoked'

interface UserEvent extends Omit<NewEvent, 'id'> {
  type: UserEventType
}

/** Adds an event to the audit log, within the transaction that it tells of. Facts hold no secrets. */
export function addUserEvent(
  { createId }: { createId: CreateId },
  queries: Queries,
  event: UserEvent,
): Promise<void> {
  return addEvent(queries, { id: createId(), ...event })
}

/** Adds what a signed-in person does at the merchant in view. The subject is that person, unless another is given. */
export function addEventBy(
  deps: { createId: CreateId },
  queries: Queries,
  { session, requester }: UserContext,
  type: UserEventType,
  facts: object = {},
  subject: string = session.user.id,
): Promise<void> {
  return addUserEvent(deps, queries, {
    merchantId: session.merchantId,
    type,
    subject,
    actor: actorOf(session),
    facts: { ...factsOf(requester), ...facts },
  })
}

/** What every event of a person says about where it came from. */
export const factsOf = ({ address, userAgent }: Requester): object => ({ address, user_agent: userAgent })
