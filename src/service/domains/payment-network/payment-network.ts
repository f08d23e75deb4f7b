import type { Account, Creditor, Debtor } from '../../../contract/api/agreement-party.ts'
import type { Cents } from '../../../contract/api/amount.ts'

/** Said when a call never arrived: nothing was done. Or when it may have: ask, or repeat it with the same id. */
export type NoAnswer = { kind: 'unreachable' } | { kind: 'unknown' }

/** What a new agreement, or an amendment of one, asks the payer to agree to. Texts and days are as the payer's bank shows them. */
export interface MandateTerms {
  description: string
  /** Terms as the contract has them on the wire, for the payer to read. */
  terms: object
  startDate: string
  endDate: string | null
  mostPayments: number | null
  responseRequiredBy: Date
}

/**
 * Something that the merchant or the service did, for the payer's bank to follow. `id` is ours, the same for ever: the network does
 * each once, however often it is told.
 */
export type Instruction = { id: string; agreementId: string } & (
  | {
      kind: 'create'
      type: 'oneoff' | 'recurring' | 'adhoc'
      purpose: string
      debtor: Debtor
      creditor: Creditor
      mandate: MandateTerms
    }
  | { kind: 'describe'; description: string; shortDescription: string | null }
  | { kind: 'amend'; amendmentId: string; mandate: MandateTerms }
  | { kind: 'withdraw_amendment'; amendmentId: string }
  | { kind: 'suspend' | 'release' | 'cancel' | 'expire' }
)

/** What the payer did in its bank. `id` is the network's; the same notice may come again until it is acknowledged. */
export interface Notice {
  id: string
  agreementId: string
  answer: DebtorAnswer
  /** Of an answer to an amendment: which one. */
  amendmentId: string | null
}

export type DebtorAnswer =
  'accept' | 'decline' | 'suspend' | 'release' | 'cancel' | 'accept_amendment' | 'decline_amendment'

/** What became of one payment. `code` and `message` are for the merchant to see. */
export type PaymentOutcome =
  | { kind: 'settled'; reference: string }
  | {
      kind: 'failed'
      reference: string | null
      code: 'insufficient_funds' | 'account_closed' | 'agreement_not_active' | 'limit_exceeded' | 'refused'
      message: string
    }
  | { kind: 'under_investigation'; reference: string }

export interface PaymentOrder {
  /** Ours, the same for ever: the network makes a payment once, however often it is told. */
  paymentId: string
  agreementId: string
  amount: Cents
  reference: string
  description: string | null
}

/**
 * The port to a network of bank accounts (such as the NPP's). No method throws for what the network answers, or for want of an
 * answer. `signal` is aborted when the caller stops waiting.
 */
export interface PaymentNetwork {
  /** Whose the account behind a PayID or account number is; `name` is null where the network does not tell. */
  resolve: (
    debtor: { account: Account } | { payId: NonNullable<Debtor['pay_id']> },
    signal: AbortSignal,
  ) => Promise<{ kind: 'found'; name: string | null } | { kind: 'not_found' } | NoAnswer>
  /** Tells it of a change. Repeated until `done`. `refused`: it can not be done, and never will. */
  instruct: (
    instruction: Instruction,
    signal: AbortSignal,
  ) => Promise<{ kind: 'done' } | { kind: 'refused'; message: string } | NoAnswer>
  /** What payers did that was not acknowledged yet, oldest first. */
  notices: (most: number, signal: AbortSignal) => Promise<Notice[]>
  acknowledge: (noticeIds: readonly string[], signal: AbortSignal) => Promise<void>
  /** Makes a payment, once for each `paymentId`. */
  pay: (order: PaymentOrder, signal: AbortSignal) => Promise<PaymentOutcome | NoAnswer>
  /**
   * What became of a payment. `not_received` is a promise as `pay` was never heard of: sending it (again) makes it once, as any
   * other that arrives under this id.
   */
  outcomeOf: (
    paymentId: string,
    signal: AbortSignal,
  ) => Promise<PaymentOutcome | { kind: 'not_received' } | NoAnswer>
  /** Rejects while the network can't be reached. */
  check: () => Promise<void>
}
