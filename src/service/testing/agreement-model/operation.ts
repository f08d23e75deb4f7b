import type { BankAnswer, DebtorName } from './model-bank.ts'
import type { AgreementType, Frequency } from './model-terms.ts'

/** Terms that are asked for. Days are counted from the day of the request, unless another day is named. */
export interface WishedTerms {
  isFixed: boolean
  cents: number
  frequency: Frequency | null
  count: number | null
  point: number | null
  first: { in: number; cents: number } | null
  /** `before`: days before the agreement's end. */
  last: { before: number; cents: number } | null
}

/** The changes that an amendment asks the debtor for; null: this is not changed. */
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

/** Which of the two processes runs a job, or whether both do at once. */
export type Processes = 'first' | 'second' | 'both'

interface OfMerchant {
  agreement: number
  /** Whether it is sent with an old ETag: the agreement's first. */
  isStale: boolean
}

/** A step of a sequence: something that a merchant, a payer or a job does, or that time passes. */
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
