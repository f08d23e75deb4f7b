import type { NewEvent } from '../../platform/add-event.ts'
import type { Queries } from '../../platform/database/database.ts'
import type { CallerKey } from '../../platform/http/callers/sender.ts'
import { actorOf } from '../../platform/http/callers/session.ts'
import type { Session } from '../../platform/http/callers/session.ts'

/** Where a person's request came from, as the audit log and the list of sessions show it. */
export interface Caller {
  address: string
  /** Whom limits count it for. */
  network: CallerKey
  userAgent: string
  /** The browser, where it signs in: what is kept of a random mark that it was given at its first sign-in. */
  device: string | null
}

/** By what a person is known again at sign-in: the browser, before the network that it may share with others. */
export function placesOf({ network, device }: Caller): string[] {
  return device === null ? [network] : [device, network]
}

/** What people who sign in do, and what is done to them. docs/dashboard.md describes each type. */
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

interface UserEvent extends NewEvent {
  type: UserEventType
}

/** Adds an event about people who sign in, within the transaction of the act. Facts hold no secrets. */
export type AddUserEvent = (queries: Queries, event: UserEvent) => Promise<unknown>

/** Somebody who is signed in does something. */
export interface Act {
  session: Session
  caller: Caller
}

/** Adds what somebody does who is signed in, at the merchant in view; `subject`: the person, when left out. */
export type AddActEvent = (
  queries: Queries,
  act: Act,
  type: UserEventType,
  facts?: object,
  subject?: string,
) => Promise<unknown>

export const createAddActEvent =
  (addEvent: AddUserEvent): AddActEvent =>
  (queries, { session, caller }, type, facts = {}, subject = session.user.id) =>
    addEvent(queries, {
      merchantId: session.merchantId,
      type,
      subject,
      actor: actorOf(session),
      facts: { ...factsOf(caller), ...facts },
    })

/** What every event of a person's says of where it came from. */
export const factsOf = ({ address, userAgent }: Caller): object => ({ address, user_agent: userAgent })
