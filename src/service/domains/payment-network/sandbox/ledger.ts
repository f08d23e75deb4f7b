import type { Cents } from '../../../../contract/api/amount.ts'
import type { Queries } from '../../../platform/database/database.ts'
import {
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
import type { PaymentOrder, PaymentOutcome } from '../payment-network.ts'

/** How long an investigation takes. */
const INVESTIGATION_MS = 1000

const verdict = textOf<'settled' | 'insufficient_funds' | 'agreement_not_active' | 'limit_exceeded'>()
const outcomeColumns = {
  verdict,
  network_reference: text,
  investigated_until: nullable(timestamptz),
  answer_is_lost: bool,
}
type OutcomeRow = ValuesOf<typeof outcomeColumns>

/** The ledger judges by its own mandates, and keeps the first order with an id; others with it count as asked again. */
const enterPayment = statement({
  name: 'sandbox_enter_payment',
  values: {
    id: text,
    agreement_id: text,
    amount: cents,
    reference: text,
    description: nullable(text),
    network_reference: text,
    now: timestamptz,
    investigated_until: timestamptz,
  },
  columns: outcomeColumns,
  sql: `
    INSERT INTO sandbox_network.payments AS entered (
      id, agreement_id, amount, reference, description, verdict, investigated_until, answer_is_lost, network_reference,
      created_at
    )
    SELECT :id, :agreement_id, :amount, :reference, :description,
      CASE
        WHEN mandate.status IS DISTINCT FROM 'active' THEN 'agreement_not_active'
        WHEN :amount > mandate.most_amount THEN 'limit_exceeded'
        WHEN mandate.payments = 'lack_funds' THEN 'insufficient_funds'
        ELSE 'settled'
      END,
      CASE WHEN mandate.payments = 'investigate' THEN :investigated_until::timestamptz END,
      mandate.payments IS NOT DISTINCT FROM 'lose_answer', :network_reference, :now
    FROM (SELECT) AS asked LEFT JOIN sandbox_network.mandates mandate ON mandate.id = :agreement_id
    ON CONFLICT (id) DO UPDATE SET times_asked = entered.times_asked + 1
    RETURNING verdict, network_reference, investigated_until, answer_is_lost`,
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

/** A payment as the sandbox's books have it. */
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

/** The payments of the sandbox, at a time: an investigation ends by itself. */
export interface Ledger {
  /** Enters a payment, or finds the one with this id. `isHeard`: whether the answer reaches who has asked. */
  enter: (
    order: PaymentOrder,
    networkReference: string,
  ) => Promise<{ outcome: PaymentOutcome; isHeard: boolean }>
  outcomeOf: (paymentId: string) => Promise<PaymentOutcome | null>
  /** Newest first. */
  paymentsOf: (agreementId: string, most: number) => Promise<LedgerEntry[]>
}

/** `epochMs`: the time of day, in ms since 1970. */
export function createLedger(queries: Queries, epochMs: () => number): Ledger {
  return {
    async enter({ paymentId, agreementId, amount, reference, description }, networkReference) {
      const now = epochMs()
      const [row] = await queries.run(enterPayment, {
        id: paymentId,
        agreement_id: agreementId,
        amount,
        reference,
        description,
        network_reference: networkReference,
        now: new Date(now),
        investigated_until: new Date(now + INVESTIGATION_MS),
      })
      if (row === undefined) throw new Error('a payment was neither entered nor found')
      return { outcome: outcomeAt(now, row), isHeard: !row.answer_is_lost }
    },
    async outcomeOf(paymentId) {
      const [row] = await queries.run(findPayment, { id: paymentId })
      return row === undefined ? null : outcomeAt(epochMs(), row)
    },
    async paymentsOf(agreementId, most) {
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
