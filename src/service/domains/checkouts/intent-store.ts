import type { ErrorCode } from '../../../contract/api/envelope.ts'
import type { Database, Queries, Statement } from '../../platform/database/database.ts'
import type { PageFilter } from '../../platform/http/page-query.ts'
import { toIntent } from './intent-row.ts'
import type { IntentRow } from './intent-row.ts'
import * as sql from './intent-sql.ts'
import type { Intent } from './intent.ts'

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
  add: (intent: NewIntent, repeatable: { key: string; hash: string } | null) => Promise<Intent | null>
  find: (id: string) => Promise<Intent | null>
  findByRequest: (key: string) => Promise<{ intent: Intent; hash: string | null } | null>
  list: (merchantId: string, filter: PageFilter) => Promise<Intent[]>
  view: (id: string) => Promise<Intent | null>
  /** Within the transaction that begins the charge. */
  beginPayment: (
    queries: Queries,
    intent: Pick<Intent, 'id' | 'revision'>,
    payment: { chargeId: string; paymentSourceHash: Buffer },
  ) => Promise<Intent | null>
  complete: (id: string, chargeId: string) => Promise<Intent | null>
  failPayment: (id: string, chargeId: string, code: ErrorCode) => Promise<Intent | null>
  cancel: (id: string) => Promise<Intent | null>
  expire: () => Promise<void>
  /** Those after `id`, in the order of their ids; an empty list is the end. */
  findUnsettled: (id: string) => Promise<Intent[]>
  forgetRequests: () => Promise<void>
}

export function createIntentStore(database: Database): IntentStore {
  const one = async (asked: Statement<IntentRow>, values: unknown[], queries: Queries = database) => {
    const [row] = await queries.run(asked, values)
    return row === undefined ? null : toIntent(row)
  }
  return {
    add: (intent, repeatable) =>
      one(sql.addIntent, [...valuesOf(intent), repeatable?.key ?? null, repeatable?.hash ?? null]),
    find: (id) => one(sql.findIntent, [id]),
    async findByRequest(key) {
      const [row] = await database.run(sql.findIntentByRequest, [key])
      return row === undefined ? null : { intent: toIntent(row), hash: row.request_hash }
    },
    async list(merchantId, { after, status, reference, from, to, limit, skip }) {
      const values = [merchantId, after?.createdAt, after?.id, status, reference, from, to, limit, skip]
      return (await database.run(sql.listIntents, values)).map(toIntent)
    },
    view: (id) => one(sql.viewIntent, [id]),
    beginPayment: (queries, { id, revision }, { chargeId, paymentSourceHash }) =>
      one(sql.beginPayment, [id, chargeId, paymentSourceHash, revision], queries),
    complete: (id, chargeId) => one(sql.completeIntent, [id, chargeId]),
    failPayment: (id, chargeId, code) => one(sql.failPayment, [id, chargeId, code]),
    cancel: (id) => one(sql.cancelIntent, [id]),
    expire: async () => {
      await database.run(sql.expireIntents, [])
    },
    findUnsettled: async (id) => (await database.run(sql.findUnsettled, [id])).map(toIntent),
    forgetRequests: async () => {
      await database.run(sql.forgetRequests, [])
    },
  }
}

function valuesOf(intent: NewIntent): unknown[] {
  return [
    intent.id,
    intent.merchantId,
    intent.workflowVersion,
    intent.amount,
    intent.currency,
    intent.reference,
    intent.description,
    JSON.stringify(intent.customer),
    JSON.stringify(intent.configuration),
    JSON.stringify(intent.customisation),
  ]
}
