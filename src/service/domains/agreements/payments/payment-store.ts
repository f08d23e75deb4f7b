import type { Database, Queries } from '../../../platform/database/database.ts'
import { countIn } from '../../../platform/jobs/batches.ts'
import { toPageValues } from '../../../platform/listing/page-query.ts'
import type { PageFilter } from '../../../platform/listing/page-query.ts'
import type { IdempotentRequest } from '../../../platform/idempotency.ts'
import type { WriteEvent } from '../../../platform/write-event.ts'
import type { Agreement } from '../agreement.ts'
import type { Day } from '../terms/day.ts'
import { LAST_DAY } from '../terms/periods.ts'
import { countOf, periodOf } from './decide-payment.ts'
import type { Tally } from './decide-payment.ts'
import { toPayment } from './payment-row.ts'
import type { Payment } from './payment.ts'
import {
  addPayments,
  countPayments,
  findPaymentByRequest,
  forgetPaymentRequests,
  tallyPayments,
} from './statements/accept-sql.ts'
import { findPayment, listPayments } from './statements/reading-sql.ts'

export type NewPayment = Pick<
  Payment,
  | 'id'
  | 'agreementId'
  | 'merchantId'
  | 'agreementVersion'
  | 'amount'
  | 'reference'
  | 'description'
  | 'isLast'
  | 'dueOn'
  | 'countsOn'
> & {
  /** That of the agreement as it was when it allowed the payment: by it the network hears of both in order. */
  agreementRevision: number
  /** That of the merchant who sent it, where it had a key. */
  idempotentRequest: Pick<IdempotentRequest, 'key' | 'hash'> | null
  eventId: string
}

/** Payments of agreements in SQL: adding and reading them. */
export interface PaymentStore {
  /** For each agreement the payments so far, by which the next one is decided. In the transaction that has locked them. */
  tally: (
    queries: Queries,
    asked: readonly { agreement: Agreement; day: Day }[],
  ) => Promise<ReadonlyMap<string, Tally>>
  /** How many payments of an agreement have not failed, counted up to `most`. Likewise. */
  count: (queries: Queries, agreementId: string, most: number) => Promise<number>
  /** In the same transaction. Skips a payment for a due day that has one already. */
  add: (
    queries: Queries,
    payments: readonly NewPayment[],
    by: 'merchant' | 'service',
    at: Date,
  ) => Promise<Payment[]>
  /** In the same transaction, too: the payment that a request with this key made before, and the hash of that request. */
  findByRequest: (
    queries: Queries,
    requestKey: string,
  ) => Promise<{ payment: Payment; hash: string | null } | null>
  /** Lets go of the keys that are 30 days old (contract §2). */
  forgetRequests: () => Promise<number>
  find: (id: string) => Promise<Payment | null>
  list: (agreementId: string, filter: PageFilter) => Promise<Payment[]>
}

/** A period without a day. */
const NO_PERIOD = { from: LAST_DAY, to: '' }

export function createPaymentStore(database: Database, writeEvent: WriteEvent): PaymentStore {
  const addSql = addPayments(writeEvent)
  return {
    async tally(queries, asked) {
      const periods = asked.map(({ agreement, day }) => periodOf(agreement, day) ?? NO_PERIOD)
      const rows = await queries.run(tallyPayments, {
        agreement_ids: asked.map(({ agreement }) => agreement.id),
        mosts: asked.map(({ agreement }) => countOf(agreement)),
        froms: periods.map(({ from }) => from),
        tos: periods.map(({ to }) => to),
      })
      return new Map(
        rows.map((row) => [
          row.agreement_id,
          { count: row.count, inPeriod: row.in_period, hasLast: row.has_last },
        ]),
      )
    },
    async count(queries, agreementId, most) {
      const [row] = await queries.run(countPayments, { agreement_id: agreementId, most })
      return row?.count ?? 0
    },
    async add(queries, payments, by, at) {
      if (payments.length === 0) return []
      return (await queries.run(addSql, { ...toArrays(payments), actor: by, now: at })).map(toPayment)
    },
    async findByRequest(queries, requestKey) {
      const [row] = await queries.run(findPaymentByRequest, { request_key: requestKey })
      return row === undefined ? null : { payment: toPayment(row), hash: row.request_hash }
    },
    forgetRequests: async () => countIn(await database.run(forgetPaymentRequests, {})),
    async find(id) {
      const [row] = await database.run(findPayment, { id })
      return row === undefined ? null : toPayment(row)
    },
    list: async (agreementId, filter) =>
      (await database.run(listPayments, { agreement_id: agreementId, ...toPageValues(filter) })).map(
        toPayment,
      ),
  }
}

function toArrays(payments: readonly NewPayment[]) {
  return {
    ids: payments.map(({ id }) => id),
    agreement_ids: payments.map(({ agreementId }) => agreementId),
    merchant_ids: payments.map(({ merchantId }) => merchantId),
    agreement_versions: payments.map(({ agreementVersion }) => agreementVersion),
    agreement_revisions: payments.map(({ agreementRevision }) => agreementRevision),
    amounts: payments.map(({ amount }) => amount),
    references: payments.map(({ reference }) => reference),
    descriptions: payments.map(({ description }) => description),
    are_last: payments.map(({ isLast }) => isLast),
    due_days: payments.map(({ dueOn }) => dueOn),
    counting_days: payments.map(({ countsOn }) => countsOn),
    request_keys: payments.map(({ idempotentRequest }) => idempotentRequest?.key ?? null),
    request_hashes: payments.map(({ idempotentRequest }) => idempotentRequest?.hash ?? null),
    event_ids: payments.map(({ eventId }) => eventId),
  }
}
