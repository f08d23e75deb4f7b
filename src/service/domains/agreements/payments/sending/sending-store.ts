import type { Database, Queries } from '../../../../platform/database/database.ts'
import type { CreateId } from '../../../../platform/identifiers.ts'
import type { WriteEvent } from '../../../../platform/write-event.ts'
import { toPayment } from '../payment-row.ts'
import type { Payment, PaymentFailure, PaymentState } from '../payment.ts'
import {
  askLater,
  findWaiting,
  markProcessing,
  recordOutcomes,
  takeUnanswered,
} from '../statements/send-sql.ts'

/** A payment that waits for the network, as a candidate to be chosen. */
export interface WaitingPayment {
  id: string
  merchantId: string
}

/** A payment that this process has taken, and how often the network was called for it. */
export type TakenPayment = Payment & { attempts: number }

/** The outcome of a payment. `nextAt`: when to ask again, while the outcome is not final. */
export interface Result {
  paymentId: string
  status: Extract<PaymentState, 'settled' | 'failed' | 'under_investigation'>
  failure: PaymentFailure | null
  reference: string | null
  nextAt: Date | null
}

/** Payments on their way to the network, in SQL. */
export interface SendingStore {
  /** Payments that wait to be sent, or for an outcome: about four times `most`, to choose from. */
  findToSend: (most: number, now: Date) => Promise<WaitingPayment[]>
  findUnanswered: (most: number, now: Date) => Promise<WaitingPayment[]>
  /** Takes those that are still to be sent: they are `processing`, and this process's until the lease ends. */
  markProcessing: (ids: readonly string[], now: Date) => Promise<TakenPayment[]>
  /** Takes those that still have no answer, likewise. */
  takeUnanswered: (ids: readonly string[], now: Date) => Promise<TakenPayment[]>
  askLater: (payments: readonly { paymentId: string; nextAt: Date }[]) => Promise<void>
  /** Those that could be recorded; another was faster with the rest. */
  record: (queries: Queries, results: readonly Result[], at: Date) => Promise<Payment[]>
}

/** Longer than a call to the network and what follows from it; after that, another process asks for the outcome. */
const LEASE_MS = 60_000

export function createSendingStore(
  database: Database,
  writeEvent: WriteEvent,
  createId: CreateId,
): SendingStore {
  const mark = markProcessing(writeEvent)
  const record = recordOutcomes(writeEvent)
  const [toSend, unanswered] = [findWaiting('toSend'), findWaiting('unanswered')]
  const find = (asked: typeof toSend) => async (most: number, now: Date) =>
    (await database.run(asked, { most, now })).map((row) => ({ id: row.id, merchantId: row.merchant_id }))
  const leaseFrom = (now: Date) => ({ now, leased_until: new Date(now.getTime() + LEASE_MS) })
  return {
    findToSend: find(toSend),
    findUnanswered: find(unanswered),
    async markProcessing(ids, now) {
      const values = { ids, event_ids: ids.map(createId), ...leaseFrom(now) }
      return (await database.run(mark, values)).map((row) => ({ ...toPayment(row), attempts: row.attempts }))
    },
    async takeUnanswered(ids, now) {
      const rows = await database.run(takeUnanswered, { ids, ...leaseFrom(now) })
      return rows.map((row) => ({ ...toPayment(row), attempts: row.attempts }))
    },
    async askLater(payments) {
      await database.run(askLater, {
        ids: payments.map(({ paymentId }) => paymentId),
        next_times: payments.map(({ nextAt }) => nextAt),
      })
    },
    async record(queries, results, at) {
      const rows = await queries.run(record, {
        ids: results.map(({ paymentId }) => paymentId),
        statuses: results.map(({ status }) => status),
        failures: results.map(({ failure }) => failure),
        references: results.map(({ reference }) => reference),
        next_times: results.map(({ nextAt }) => nextAt),
        event_ids: results.map(createId),
        now: at,
      })
      return rows.map(toPayment)
    },
  }
}
