import { arrayOf, bigint, text, timestamptz } from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'

const liveColumns = {
  seq: bigint,
  id: text,
  merchant_id: text,
  type: text,
  subject: text,
  created_at: timestamptz,
}
export type LiveRow = ValuesOf<typeof liveColumns>

/** What happened at some merchants between two places of the chain, in its order. */
export const readBetween = statement({
  name: 'read_events_between',
  values: { after: bigint, up_to: bigint, merchant_ids: arrayOf(text) },
  columns: liveColumns,
  sql: `
    SELECT seq, id, merchant_id, type, subject, created_at FROM events
    WHERE seq > :after AND seq <= :up_to AND merchant_id = ANY (:merchant_ids) ORDER BY seq`,
})

/** The place of a merchant's event in the chain. */
export const findPlace = statement({
  name: 'find_place_of_event',
  values: { id: text, merchant_id: text },
  columns: { seq: bigint },
  sql: 'SELECT seq FROM events WHERE id = :id AND merchant_id = :merchant_id',
})
