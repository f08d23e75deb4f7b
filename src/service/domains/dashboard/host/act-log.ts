import type { Database } from '../../../platform/database/database.ts'
import { jsonb, text } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import type { WriteEvent } from '../../../platform/write-event.ts'

/** What a person did on the dashboard. */
export interface Act {
  merchantId: string
  actor: string
  /** The id of what it is about; the merchant's where it is about nothing smaller. */
  subject: string
  facts: Readonly<Record<string, string | number | null>>
}

/** Acts as events `user.acted` of the audit log. */
export interface ActLog {
  add: (act: Act) => Promise<void>
}

export function createActLog(database: Database, writeEvent: WriteEvent, createId: CreateId): ActLog {
  const addAct = statement({
    name: 'add_user_act',
    values: { event_id: text, merchant_id: text, subject: text, actor: text, facts: jsonb() },
    columns: {},
    sql: writeEvent({
      id: ':event_id',
      merchant: ':merchant_id',
      type: "'user.acted'",
      subject: ':subject',
      actor: ':actor',
      facts: ':facts',
      from: '(SELECT 1) AS once',
    }),
  })
  return {
    async add({ merchantId, actor, subject, facts }) {
      const values = { merchant_id: merchantId, actor, subject, facts }
      await database.run(addAct, { event_id: createId(), ...values })
    },
  }
}
