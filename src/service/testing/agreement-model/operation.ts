import type { BankAnswer, DebtorName } from './model-bank.ts'
import type { AgreementType, Frequency } from './model-terms.ts'

/** Days are counted from the day on which it is asked, or from the one that is named. */
export interface WishedTerms {
  isFixed: boolean
  cents: number
  frequency: Frequency | null
  count: number | null
  point: number | null
  first: { in: number; cents: number } | null
  /** Before the end. */
  last: { before: number; cents: number } | null
}

/** What the debtor is asked for by an amendment; null: not that. */
export interface WishedAmendment {
  terms: WishedTerms | null
  endIn: number | null
  max: number | null
  answerIn: number | null
}

export interface WishedAgreement extends WishedAmendment {
  type: AgreementType
  terms: WishedTerms
  debtor: DebtorName | 'unknown' | 'unreachable'
  startIn: number | null
}

export type JobName =
  | 'send instructions'
  | 'receive notices'
  | 'collect due payments'
  | 'send payments'
  | 'ask after payments'
  | 'end agreements'

/** The processes that do it: one of two, or both at once. */
export type Processes = 'first' | 'second' | 'both'

interface OfMerchant {
  agreement: number
  /** Sent with the ETag of the agreement as it was made. */
  isStale: boolean
}

/** Something that a merchant, a payer, the service by itself, or time does. */
export type Operation =
  | ({ do: 'create' } & WishedAgreement)
  | ({ do: 'change status'; action: 'suspend' | 'release' | 'cancel'; isReasoned: boolean } & OfMerchant)
  | ({ do: 'describe' } & OfMerchant)
  | ({ do: 'amend'; overrides: WishedAmendment } & OfMerchant)
  | { do: 'pay'; agreement: number; cents: number; isLast: boolean; processes: Processes }
  | { do: 'answer'; agreement: number; answer: BankAnswer }
  | { do: 'run'; job: JobName; processes: Processes }
  | { do: 'wait'; ms: number }
  | { do: 'wait until'; minutesAfterMidnight: number }
