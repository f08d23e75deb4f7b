import type { ErrorCode } from '../../../../contract/api/envelope.ts'
import type { Database, Queries } from '../../../platform/database/database.ts'
import type { Statement } from '../../../platform/database/statement.ts'
import { toIntent } from './intent-row.ts'
import type { IntentRow } from './intent-row.ts'
import { completeIntent } from './end-sql.ts'
import * as sql from './intent-sql.ts'
import type { EventParts } from './intent-store.ts'
import type { Intent } from './intent.ts'

/** An intent's payment in SQL. A move returns the intent after it, or null when the intent was not where it can be moved from. */
export interface IntentPaymentStore {
  /** Within the transaction that begins the charge. */
  begin: (
    queries: Queries,
    intent: Pick<Intent, 'id' | 'revision'>,
    payment: { chargeId: string; paymentSourceHash: Buffer },
  ) => Promise<Intent | null>
  complete: (id: string, chargeId: string) => Promise<Intent | null>
  fail: (id: string, chargeId: string, code: ErrorCode) => Promise<Intent | null>
  /** Intents with a payment under way after `id`, in the order of their ids; an empty list is the end. */
  findUnsettled: (id: string) => Promise<Intent[]>
}

export function createIntentPaymentStore(
  database: Database,
  { writeEvent, createId }: EventParts,
): IntentPaymentStore {
  const completing = completeIntent(writeEvent)
  const move = async <Values>(
    queries: Queries,
    statement: Statement<Values, IntentRow>,
    values: NoInfer<Values>,
  ) => {
    const [row] = await queries.run(statement, values)
    return row === undefined ? null : toIntent(row)
  }
  return {
    begin: (queries, { id, revision }, { chargeId, paymentSourceHash }) =>
      move(queries, sql.beginPayment, {
        id,
        revision,
        charge_id: chargeId,
        payment_source_hash: paymentSourceHash,
      }),
    complete: (id, chargeId) => move(database, completing, { id, charge_id: chargeId, event_id: createId() }),
    fail: (id, chargeId, code) => move(database, sql.failPayment, { id, charge_id: chargeId, code }),
    findUnsettled: async (id) => (await database.run(sql.findUnsettled, { after_id: id })).map(toIntent),
  }
}
