import type { FormErrorCode } from '../../contract/page/form-error-code.ts'
import type { FormField } from '../../contract/page/fields/card-fields.ts'
import { openAllWith } from '../iframe-host/form-opener.ts'
import { declineEvent, faultEvent, finishEvent, paidEvent, refusalEvent, UNUSED_ORIGIN } from './outcomes.ts'
import { provideDialogs, TestBankStep } from './test-bank-step.ts'
import type { StepEnd } from './test-bank-step.ts'
import { TestSession } from './test-session.ts'
import type { Outcomes } from './test-session.ts'

/** How the forms of a test end, until it says otherwise: loads succeed, cards become tokens, checkouts are paid. */
export interface TestForms {
  /** Submits of a card form finish with this token. */
  finishWith: (token: string) => void
  /** Submits of a card form are refused, as the service refuses a card. */
  refuseWith: (message: string, fields?: FormField[], code?: FormErrorCode) => void
  /** Submits of a card form fail with a `systemError`. */
  failWith: (code: FormErrorCode, message?: string, retryable?: boolean) => void
  /** Loads fail with a `systemError`. */
  failLoadWith: (code: FormErrorCode, message?: string, retryable?: boolean) => void
  /** Payments of a checkout are declined with this code. */
  declineWith: (code: FormErrorCode, message?: string) => void
  /** Steps of a card holder's bank end so by themselves; by default one of their buttons does it. */
  endStepsWith: (status: StepEnd | undefined) => void
  /** Forms come in frames again. */
  restore: () => void
}

/**
 * From now on every form that comes into the page is one of plain inputs, without a frame and a network: also those that the
 * React components and `<svc-card-widget>` show. For jsdom and happy-dom.
 */
export function replaceForms(): TestForms {
  const cards: Outcomes = { load: undefined, submit: () => finishEvent() }
  const checkouts: Outcomes = { load: undefined, submit: () => paidEvent() }
  let stepEnd: StepEnd | undefined
  provideDialogs()
  openAllWith({
    origin: UNUSED_ORIGIN,
    open: (target, callbacks) => {
      if (target.path.includes('/authentication?')) return new TestBankStep(target, callbacks, stepEnd)
      return new TestSession(target, callbacks, target.path.includes('/checkout?') ? checkouts : cards)
    },
  })
  return {
    finishWith: (token) => void (cards.submit = () => finishEvent(token)),
    refuseWith: (message, fields = ['card_number'], code: FormErrorCode = 'validation_error') =>
      void (cards.submit = () => refusalEvent(message, fields, code)),
    failWith: (code, message: string = code, retryable = true) =>
      void (cards.submit = () => faultEvent(code, message, retryable)),
    failLoadWith: (code, message: string = code, retryable = true) => {
      cards.load = checkouts.load = { code, message, retryable }
    },
    declineWith: (code, message: string = code) =>
      void (checkouts.submit = () => declineEvent({ code, message })),
    endStepsWith: (status) => void (stepEnd = status),
    restore: () => openAllWith(null),
  }
}
