import type { EventType } from '../../../contract/dashboard/event-types.ts'
import type { Queries } from '../../platform/database/database.ts'
import { jsonb, text } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { eventSql } from '../../platform/events.ts'
import type { MerchantsDeps } from './deps.ts'

/** Writes an event about a merchant within a transaction. Facts hold no secrets; numbers in them are integers. */
export async function addMerchantEvent(
  { createId, actor }: MerchantsDeps,
  queries: Queries,
  merchantId: string,
  type: EventType,
  facts: object,
): Promise<void> {
  const event = { event_id: createId(), event_type: type, actor, facts }
  await queries.run(insertEvent, { merchant_id: merchantId, ...event })
}

/** Writes nothing if there is no such merchant. */
const insertEvent = statement({
  name: 'add_merchant_event',
  values: { merchant_id: text, event_id: text, event_type: text, actor: text, facts: jsonb() },
  columns: {},
  sql: eventSql({
    id: ':event_id',
    merchant: ':merchant_id',
    type: ':event_type',
    subject: ':merchant_id',
    actor: ':actor',
    facts: ':facts',
    from: 'merchants WHERE id = :merchant_id',
  }),
})
