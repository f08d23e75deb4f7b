import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { Queries } from '../../platform/database/database.ts'
import { jsonb, text } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { WriteEvent } from '../../platform/write-event.ts'

/** Who acts, for the audit log, and how that is written. */
export interface Acts {
  writeEvent: WriteEvent
  createId: CreateId
  actor: Actor
}

/** Writes an event about a merchant within a transaction. `facts` hold no secrets; numbers in it are integers. */
export type AddMerchantEvent = (
  queries: Queries,
  merchantId: string,
  type: string,
  facts: object,
) => Promise<unknown>

export function createAddMerchantEvent({ writeEvent, createId, actor }: Acts): AddMerchantEvent {
  const insertEvent = statement({
    name: 'add_merchant_event',
    values: { merchant_id: text, event_id: text, event_type: text, actor: text, facts: jsonb() },
    columns: {},
    sql: writeEvent({
      id: ':event_id',
      merchant: ':merchant_id',
      type: ':event_type',
      subject: ':merchant_id',
      actor: ':actor',
      facts: ':facts',
      from: 'merchants WHERE id = :merchant_id',
    }),
  })
  return (queries, merchantId, type, facts) =>
    queries.run(insertEvent, {
      merchant_id: merchantId,
      event_id: createId(),
      event_type: type,
      actor,
      facts,
    })
}
