import * as v from 'valibot'
import type { Debtor } from '../../../../contract/api/agreements/agreement-party.ts'
import { Amount } from '../../../../contract/api/fields/amount.ts'
import type { Cents } from '../../../../contract/api/fields/amount.ts'
import type { DebtorAnswer, Instruction, Notice, PaymentNetwork, PaymentOrder } from '../payment-network.ts'

/** A payment as a network's own books have it. */
export interface BookedPayment {
  paymentId: string
  amount: Cents
  outcome: string
}

/** A network under test: payers that answer in its bank, debtors that behave in ways of their own, a look into its books. */
export interface NetworkBed {
  network: PaymentNetwork
  /** `waits`: its payer answers when `answerAs` says so. `losesAnswers`: accepts and pays, and nobody hears of it. */
  debtors: Readonly<
    Record<'waits' | 'unknown' | 'unreachable' | 'losesAnswers' | 'lacksFunds' | 'investigates', Debtor>
  >
  /** The payer answers in its bank. */
  answerAs: (agreementId: string, answer: DebtorAnswer) => Promise<void>
  /** The books of an agreement: its payments, each once. */
  booksOf: (agreementId: string) => Promise<BookedPayment[]>
  close: () => Promise<void>
}

let last = 0

export const cents = (amount: string): Cents => v.parse(Amount, amount)
export const nextId = (kind: string) => `${kind}-${String((last += 1))}`
/** Long enough for any answer. */
export const patient = () => AbortSignal.timeout(5000)

type Creation = Extract<Instruction, { kind: 'create' }>

/** The instruction to open a mandate of at most 100.00 for each payment. */
export const creationFor = (debtor: Debtor, agreementId = nextId('agreement')): Creation => ({
  kind: 'create',
  id: nextId('instruction'),
  agreementId,
  type: 'adhoc',
  purpose: 'utility',
  debtor,
  creditor: { name: 'Acme Power', account: { bsb: '802985', account_number: '7654321' } },
  mandate: {
    description: 'Power and light',
    terms: {
      amount_type: 'variable',
      amount: null,
      maximum_amount: 100,
      frequency: null,
      count_per_period: null,
      point_in_period: null,
      first_payment: null,
      last_payment: null,
    },
    startDate: '2026-11-22',
    endDate: null,
    maxPayments: null,
    responseRequiredBy: new Date('2999-01-01T00:00:00Z'),
  },
})

export const orderFor = (agreementId: string, change: Partial<PaymentOrder> = {}): PaymentOrder => ({
  paymentId: nextId('payment'),
  agreementId,
  amount: cents('40.00'),
  reference: 'Invoice 7',
  description: null,
  ...change,
})

/** Opens a mandate; answers with its agreement's id. */
export async function opened({ network }: NetworkBed, debtor: Debtor): Promise<string> {
  const creation = creationFor(debtor)
  const followed = await network.instruct(creation, patient())
  if (followed.kind !== 'done') throw new Error(`a mandate was not opened: ${followed.kind}`)
  return creation.agreementId
}

/** Opens a mandate that its payer accepts; answers with its agreement's id. */
export async function accepted(bed: NetworkBed): Promise<string> {
  const agreementId = await opened(bed, bed.debtors.waits)
  await bed.answerAs(agreementId, 'accept')
  return agreementId
}

/** The notices of one agreement that nobody has acknowledged. */
export async function noticesOf({ network }: NetworkBed, agreementId: string): Promise<Notice[]> {
  return (await network.notices(1000, patient())).filter((notice) => notice.agreementId === agreementId)
}
