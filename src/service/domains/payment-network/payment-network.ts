import type { Account, Creditor, Debtor, PayId } from '../../../contract/api/agreements/agreement-party.ts'
import type {
  AgreementResource,
  PaymentTermsResource,
} from '../../../contract/api/agreements/agreement-resource.ts'
import type { Cents } from '../../../contract/api/fields/amount.ts'

/**
 * No answer came. `unreachable`: the call did not arrive, and nothing was done. `unknown`: it may have arrived; ask for its
 * outcome, or repeat it with the same id.
 */
export type NoAnswer = { kind: 'unreachable' } | { kind: 'unknown' }

/** What a new agreement, or an amendment of one, asks the payer to agree to. Texts and days are as the payer's bank shows them. */
export interface MandateTerms {
  description: string
  /** As the contract has them on the wire. */
  terms: PaymentTermsResource
  startDate: string
  /** The last day, itself included; null: it goes on until somebody ends it. */
  endDate: string | null
  maxPayments: number | null
  /** Until then the payer can accept; without an answer there is no agreement. */
  responseRequiredBy: Date
}

/**
 * An act of the merchant or the service that the payer's bank must follow. `id` is ours and never changes: the network carries out
 * each instruction once, however often it is sent. The instructions of one agreement are sent in order, `create` first, and in order with its
 * payments, too (contract §6.5).
 */
export type Instruction = { id: string; agreementId: string } & (
  | {
      kind: 'create'
      type: AgreementResource['type']
      purpose: AgreementResource['purpose']
      debtor: Debtor
      creditor: Creditor
      mandate: MandateTerms
    }
  | { kind: 'describe'; description: string; shortDescription: string | null }
  | { kind: 'amend'; amendmentId: string; mandate: MandateTerms }
  | { kind: 'withdraw_amendment'; amendmentId: string }
  | { kind: 'suspend' | 'release' | 'cancel' | 'expire' }
)

/**
 * What the payer did in its bank. `id` is the network's. A notice comes again until it is acknowledged; those of one agreement
 * come in the order of what was done.
 */
export interface Notice {
  id: string
  agreementId: string
  answer: DebtorAnswer
  /** The amendment that is answered; null for other answers. */
  amendmentId: string | null
  /** When the payer did it, by its bank's clock: it counts from that day on. */
  at: Date
}

export type DebtorAnswer =
  | 'accept'
  | 'decline'
  | 'suspend'
  | 'release'
  | 'cancel'
  | 'accept_amendment'
  | 'decline_amendment'

/** The outcome of one payment. The merchant sees `code` and `message`. */
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
  /** Our id, which never changes: the network makes a payment once, however often it is ordered. */
  paymentId: string
  agreementId: string
  amount: Cents
  reference: string
  description: string | null
}

/** The payer's address: an account or a PayID. */
export type DebtorAddress = { account: Account } | { payId: PayId }

/**
 * The port to a network of bank accounts, such as Australia's NPP with PayTo. Failures to answer are returned as values. Only
 * `notices`, `acknowledge` and `check` reject when the network can't be reached, and they can simply be called again. `signal` is
 * aborted when the caller stops waiting.
 */
export interface PaymentNetwork {
  /** Looks up the holder of an account; `name` is null if the network does not tell it. */
  resolve: (
    debtor: DebtorAddress,
    signal: AbortSignal,
  ) => Promise<{ kind: 'found'; name: string | null } | { kind: 'not_found' } | NoAnswer>
  /**
   * Sends an instruction; the caller repeats it until it is `done`, or `refused` for good. It is also `done` if the payer's bank is in
   * that state already. `release` is refused if the payer has suspended the agreement too, and `withdraw_amendment` if the payer has
   * answered: once that is done, the payer can no longer accept.
   */
  instruct: (
    instruction: Instruction,
    signal: AbortSignal,
  ) => Promise<{ kind: 'done' } | { kind: 'refused'; message: string } | NoAnswer>
  /** Notices that nobody has acknowledged yet, oldest first, at most `max`. */
  notices: (max: number, signal: AbortSignal) => Promise<Notice[]>
  /** Acknowledged notices are not sent again; unknown ids are ignored. */
  acknowledge: (noticeIds: readonly string[], signal: AbortSignal) => Promise<void>
  /** Makes a payment, once for each `paymentId`. */
  pay: (order: PaymentOrder, signal: AbortSignal) => Promise<PaymentOutcome | NoAnswer>
  /**
   * The outcome of a payment. `not_received`: no order with this id has arrived. It may be sent again: even if the first order still
   * arrives, both are one payment.
   */
  outcomeOf: (
    paymentId: string,
    signal: AbortSignal,
  ) => Promise<PaymentOutcome | { kind: 'not_received' } | NoAnswer>
  /** Rejects while the network is down. */
  check: () => Promise<void>
}

/** For an installation without a network: nothing can be reached. */
export const noNetwork: PaymentNetwork = {
  resolve: () => Promise.resolve({ kind: 'unreachable' }),
  instruct: () => Promise.resolve({ kind: 'unreachable' }),
  notices: () => Promise.resolve([]),
  acknowledge: () => Promise.resolve(),
  pay: () => Promise.resolve({ kind: 'unreachable' }),
  outcomeOf: () => Promise.resolve({ kind: 'unreachable' }),
  check: () => Promise.reject(new Error('this installation has no payment network')),
}
