import type { EventType } from '../../../contract/dashboard/event-types.ts'
import type { Queries } from '../../platform/database/database.ts'
import { addEvent } from '../../platform/events.ts'
import type { NewEvent } from '../../platform/events.ts'
import { actorOf } from '../../platform/http/callers/session.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { Requester, UserContext } from './user-context.ts'

/** Adds an event to the audit log, within the transaction that it tells of. Facts hold no secrets. */
export function addUserEvent(
  { createId }: { createId: CreateId },
  queries: Queries,
  event: Omit<NewEvent, 'id'>,
): Promise<void> {
  return addEvent(queries, { id: createId(), ...event })
}

/** Adds what a signed-in person does at the merchant in view. The subject is that person, unless another is given. */
export function addEventBy(
  deps: { createId: CreateId },
  queries: Queries,
  { session, requester }: UserContext,
  type: EventType,
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
