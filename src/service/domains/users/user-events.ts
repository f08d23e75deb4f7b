import type { Queries } from '../../platform/database/database.ts'
import { jsonb, text } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { actorOf } from '../../platform/http/callers/session.ts'
import type { Session } from '../../platform/http/callers/session.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { WriteEvent } from '../../platform/write-event.ts'

/** Where a person's request came from, as the audit log and the list of sessions show it. */
export interface Caller {
  address: string
  /** The address, or in IPv6 its /64: what one caller has all of. */
  network: string
  userAgent: string
}

/** What people who log in do, and what is done to them. docs/dashboard.md describes each type. */
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

interface UserEvent {
  /** Empty for what is of no merchant. */
  merchantId: string
  type: UserEventType
  /** The id of the person or invitation that it is about; `service` where it is nobody known. */
  subject: string
  /** `user:ID`, `operator:NAME`, or `service` where nobody proved who they are. */
  actor: string
  facts: object
}

/** Writes an event within the transaction of the act. Facts hold no secrets. */
export type TellOfUser = (queries: Queries, event: UserEvent) => Promise<unknown>

export function createTellOfUser(writeEvent: WriteEvent, createId: CreateId): TellOfUser {
  const tell = statement({
    name: 'tell_of_user',
    values: {
      event_id: text,
      merchant_id: text,
      event_type: text,
      subject: text,
      actor: text,
      facts: jsonb(),
    },
    columns: {},
    sql: writeEvent({
      id: ':event_id',
      merchant: ':merchant_id',
      type: ':event_type',
      subject: ':subject',
      actor: ':actor',
      facts: ':facts',
      from: '(SELECT 1) AS once',
    }),
  })
  return (queries, { merchantId, type, subject, actor, facts }) =>
    queries.run(tell, {
      event_id: createId(),
      merchant_id: merchantId,
      event_type: type,
      subject,
      actor,
      facts,
    })
}

/** Somebody who is signed in does something. */
export interface Act {
  session: Session
  caller: Caller
}

/** Writes what somebody does who is signed in, at the merchant in view; `subject`: the person, when left out. */
export type TellOfAct = (
  queries: Queries,
  act: Act,
  type: UserEventType,
  facts?: object,
  subject?: string,
) => Promise<unknown>

export const createTellOfAct =
  (tell: TellOfUser): TellOfAct =>
  (queries, { session, caller }, type, facts = {}, subject = session.user.id) =>
    tell(queries, {
      merchantId: session.merchantId,
      type,
      subject,
      actor: actorOf(session),
      facts: { ...factsOf(caller), ...facts },
    })

/** What every event of a person's says of where it came from. */
export const factsOf = ({ address, userAgent }: Caller): object => ({ address, user_agent: userAgent })
