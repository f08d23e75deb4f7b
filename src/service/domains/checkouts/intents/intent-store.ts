import type { Database } from '../../../platform/database/database.ts'
import { countIn } from '../../../platform/jobs/batches.ts'
import type { IsClockSteady } from '../../../platform/jobs/when-steady.ts'
import type { IdempotentRequest } from '../../../platform/idempotency.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import type { WriteEvent } from '../../../platform/write-event.ts'
import type { Statement } from '../../../platform/database/statement.ts'
import { toPageValues } from '../../../platform/listing/page-query.ts'
import type { PageFilter } from '../../../platform/listing/page-query.ts'
import { toIntent } from './intent-row.ts'
import type { IntentRow } from './intent-row.ts'
import * as ends from './end-sql.ts'
import * as sql from './intent-sql.ts'
import type { Intent } from './intent.ts'
import { intentListFor } from './list-sql.ts'

export type NewIntent = Pick<
  Intent,
  | 'id'
  | 'merchantId'
  | 'workflowVersion'
  | 'amount'
  | 'currency'
  | 'reference'
  | 'description'
  | 'customer'
  | 'configuration'
  | 'customisation'
>

/** Intents in SQL. A move returns the intent after it, or null when the intent was not where it can be moved from. */
export interface IntentStore {
  /** Null when a request came before under the same key. */
  add: (intent: NewIntent, idempotentRequest: IdempotentRequest | null) => Promise<Intent | null>
  find: (id: string) => Promise<Intent | null>
  findByRequest: (key: string) => Promise<{ intent: Intent; hash: string | null } | null>
  list: (merchantId: string, filter: PageFilter) => Promise<Intent[]>
  view: (id: string) => Promise<Intent | null>
  cancel: (id: string) => Promise<Intent | null>
  /** Ends intents whose time is over. The database's clock is read after one was found. */
  expire: (isClockSteady: IsClockSteady) => Promise<void>
  forgetRequests: () => Promise<number>
}

/** What each end of an intent writes into the audit log with it. */
export interface EventParts {
  writeEvent: WriteEvent
  createId: CreateId
}

export function createIntentStore(database: Database, { writeEvent, createId }: EventParts): IntentStore {
  const cancel = ends.cancelIntent(writeEvent)
  const expire = ends.expireIntents(writeEvent)
  const one = async <Values>(statement: Statement<Values, IntentRow>, values: NoInfer<Values>) => {
    const [row] = await database.run(statement, values)
    return row === undefined ? null : toIntent(row)
  }
  return {
    add: (intent, idempotentRequest) =>
      one(sql.addIntent, {
        ...valuesOf(intent),
        request_key: idempotentRequest?.key ?? null,
        request_hash: idempotentRequest?.hash ?? null,
      }),
    find: (id) => one(sql.findIntent, { id }),
    async findByRequest(key) {
      const [row] = await database.run(sql.findIntentByRequest, { request_key: key })
      return row === undefined ? null : { intent: toIntent(row), hash: row.request_hash }
    },
    async list(merchantId, filter) {
      const values = { merchant_id: merchantId, ...toPageValues(filter) }
      return (await database.run(intentListFor(filter), values)).map(toIntent)
    },
    view: (id) => one(sql.viewIntent, { id }),
    cancel: (id) => one(cancel, { id, event_id: createId() }),
    async expire(isClockSteady) {
      const ids = (await database.run(ends.findOver, {})).map(({ id }) => id)
      if (ids.length > 0 && (await isClockSteady()))
        await database.run(expire, { ids, event_ids: ids.map(createId) })
    },
    forgetRequests: async () => countIn(await database.run(sql.forgetRequests, {})),
  }
}

function valuesOf({ merchantId, workflowVersion, ...same }: NewIntent) {
  return { ...same, merchant_id: merchantId, workflow_version: workflowVersion }
}
