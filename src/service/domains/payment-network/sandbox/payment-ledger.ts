import type { Cents } from '../../../../contract/api/fields/amount.ts'
import type { Queries } from '../../../platform/database/database.ts'
import {
  arrayOf,
  bigint,
  bool,
  cents,
  integer,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { callBatcher } from '../../../platform/concurrency/loading.ts'
import type { PaymentOrder, PaymentOutcome } from '../payment-network.ts'

/** How long an investigation takes. */
const INVESTIGATION_MS = 1000
/** Payments that are entered by one statement, at most. */
const MAX_TOGETHER = 100

const verdict = textOf<'settled' | 'insufficient_funds' | 'agreement_not_active' | 'limit_exceeded'>()
const outcomeColumns = {
  verdict,
  network_reference: text,
  investigated_until: nullable(timestamptz),
  answer_is_lost: bool,
}
type OutcomeRow = ValuesOf<typeof outcomeColumns>

/**
 * The ledger decides by its own mandates, and keeps the first order under an id. Further orders with that id, also in the same statement,
 * only count as repeated.
 */
const enterPayments = statement({
  name: 'sandbox_enter_payments',
  values: {
    ids: arrayOf(text),
    agreement_ids: arrayOf(text),
    amounts: arrayOf(cents),
    references: arrayOf(text),
    descriptions: arrayOf(nullable(text)),
    network_references: arrayOf(text),
    now: timestamptz,
    investigated_until: timestamptz,
  },
  columns: { id: text, ...outcomeColumns },
  sql: `
    INSERT INTO sandbox_network.payments AS entered (
      id, agreement_id, amount, reference, description, verdict, investigated_until, answer_is_lost, network_reference,
      times_asked, created_at
    )
    SELECT DISTINCT ON (asked.id) asked.id, asked.agreement_id, asked.amount, asked.reference, asked.description,
      CASE
        WHEN mandate.status IS DISTINCT FROM 'active' THEN 'agreement_not_active'
        WHEN asked.amount > mandate.max_amount THEN 'limit_exceeded'
        WHEN mandate.payments = 'lack_funds' THEN 'insufficient_funds'
        ELSE 'settled'
      END,
      CASE WHEN mandate.payments = 'investigate' THEN :investigated_until::timestamptz END,
      mandate.payments IS NOT DISTINCT FROM 'lose_answer', asked.network_reference,
      count(*) OVER (PARTITION BY asked.id), :now::timestamptz
    FROM unnest(:ids::text[], :agreement_ids::text[], :amounts::bigint[], :references::text[], :descriptions::text[],
      :network_references::text[])
      AS asked (id, agreement_id, amount, reference, description, network_reference)
    LEFT JOIN sandbox_network.mandates mandate ON mandate.id = asked.agreement_id
    ORDER BY asked.id
    ON CONFLICT (id) DO UPDATE SET times_asked = entered.times_asked + excluded.times_asked
    RETURNING id, verdict, network_reference, investigated_until, answer_is_lost`,
})
const findPayment = statement({
  name: 'sandbox_find_payment',
  values: { id: text },
  columns: outcomeColumns,
  sql: `
    SELECT verdict, network_reference, investigated_until, answer_is_lost
    FROM sandbox_network.payments WHERE id = :id`,
})
const entryColumns = {
  ...outcomeColumns,
  id: text,
  agreement_id: text,
  amount: cents,
  reference: text,
  description: nullable(text),
  times_asked: integer,
  created_at: timestamptz,
}
const listPayments = statement({
  name: 'sandbox_list_payments',
  values: { agreement_id: text, most: bigint },
  columns: entryColumns,
  sql: `
    SELECT ${Object.keys(entryColumns).join(', ')} FROM sandbox_network.payments
    WHERE agreement_id = :agreement_id ORDER BY created_at DESC, id DESC LIMIT :most`,
})

/** A payment in the sandbox's books. */
export interface LedgerEntry {
  paymentId: string
  agreementId: string
  amount: Cents
  reference: string
  description: string | null
  outcome: PaymentOutcome
  /** How often it was ordered; it was made once at most. */
  timesAsked: number
  createdAt: Date
}

interface NewEntry {
  order: PaymentOrder
  networkReference: string
}

/** `isHeard`: false if the answer is lost on its way. */
interface Entered {
  outcome: PaymentOutcome
  isHeard: boolean
}

/** The payments of the sandbox. `epochMs`: the time of day, in ms since 1970; an investigation ends by it. */
export type Ledger = ReturnType<typeof createLedger>

export function createLedger(queries: Queries, epochMs: () => number) {
  return {
    /** Enters a payment, or finds the one with this id. Payments that come together are entered together. */
    enter: callBatcher(MAX_TOGETHER, (entries: readonly NewEntry[]) => enterAll(queries, entries, epochMs())),
    async outcomeOf(paymentId: string): Promise<PaymentOutcome | null> {
      const [row] = await queries.run(findPayment, { id: paymentId })
      return row === undefined ? null : outcomeAt(epochMs(), row)
    },
    /** Newest first. */
    async paymentsOf(agreementId: string, most: number): Promise<LedgerEntry[]> {
      const rows = await queries.run(listPayments, { agreement_id: agreementId, most })
      return rows.map((row) => ({
        paymentId: row.id,
        agreementId: row.agreement_id,
        amount: row.amount,
        reference: row.reference,
        description: row.description,
        outcome: outcomeAt(epochMs(), row),
        timesAsked: row.times_asked,
        createdAt: row.created_at,
      }))
    },
  }
}

/** Enters payments, and returns a function that gives each its outcome. `now` is in ms since 1970. */
async function enterAll(
  queries: Queries,
  entries: readonly NewEntry[],
  now: number,
): Promise<(entry: NewEntry) => Entered> {
  const rows = await queries.run(enterPayments, {
    ids: entries.map(({ order }) => order.paymentId),
    agreement_ids: entries.map(({ order }) => order.agreementId),
    amounts: entries.map(({ order }) => order.amount),
    references: entries.map(({ order }) => order.reference),
    descriptions: entries.map(({ order }) => order.description),
    network_references: entries.map(({ networkReference }) => networkReference),
    now: new Date(now),
    investigated_until: new Date(now + INVESTIGATION_MS),
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ({ order }) => {
    const row = byId.get(order.paymentId)
    if (row === undefined) throw new Error('a payment was neither entered nor found')
    return { outcome: outcomeAt(now, row), isHeard: !row.answer_is_lost }
  }
}

const FAILURE_WORDS: Readonly<Record<Exclude<OutcomeRow['verdict'], 'settled'>, string>> = {
  insufficient_funds: "The payer's account lacks the funds.",
  agreement_not_active: "The agreement is not active at the payer's bank.",
  limit_exceeded: 'The amount is more than the payer has agreed to.',
}

function outcomeAt(now: number, row: OutcomeRow): PaymentOutcome {
  const { verdict: code, network_reference: reference, investigated_until: until } = row
  if (code !== 'settled') return { kind: 'failed', reference, code, message: FAILURE_WORDS[code] }
  const isInvestigated = until !== null && until.getTime() > now
  return { kind: isInvestigated ? 'under_investigation' : 'settled', reference }
}
