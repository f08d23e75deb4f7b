import type { FormErrorCode } from '../../../contract/page/form-error-code.ts'
import { batch } from '@preact/signals'
import { revealFaults } from '../../form/form-faults.ts'
import { showAlert } from '../../form/alert.ts'
import { announce } from '../../form/announce.ts'
import { emptyFields } from '../../form/empty-form.ts'
import type { Form } from '../../form/form-view.ts'
import type { Emit } from '../../page-channel.ts'
import { reportTokenOutcome } from '../../submit/report-token-outcome.ts'
import type { SubmitEffects } from '../../submit/report-token-outcome.ts'
import type { TokeniseOutcome } from '../../tokenise/tokenise.ts'
import { checkoutWordsOf } from '../checkout-words.ts'
import { DECLINE_WORDS } from './decline-words.ts'
import type { DeclineCode } from './decline-words.ts'

interface FailureEffects extends SubmitEffects {
  /** Moves the focus to the alert if it is in this document, and answers whether it moved. */
  focusAlert: () => boolean
}

/** What a person reads after a decline: why, what to do, and that the code has to be entered again where its field was emptied. */
function declineWordsIn(form: Form, code: DeclineCode): string {
  const words = checkoutWordsOf(form, DECLINE_WORDS[code])
  const saysMore = code === 'gateway_unavailable' || code === 'token_not_found'
  return saysMore ? words : [words, checkoutWordsOf(form, 'code_again')].join(' ')
}

export type PaymentFailures = ReturnType<typeof createPaymentFailures>

/** Creates the functions that report a failed payment to the person and the page, and reopen the form. */
export function createPaymentFailures(form: Form, { emit, focus, focusAlert }: FailureEffects) {
  const emitFailure = (code: FormErrorCode, message: string) =>
    emit({ event: 'paymentFailure', result: { message, code } })
  return {
    /**
     * The bank or gateway declined. What was typed stays, except the code, which may be used for one try only. A payment that
     * did not reach the bank used nothing up: it can be tried again as it is.
     */
    reportDecline(code: DeclineCode): void {
      batch(() => {
        if (code !== 'gateway_unavailable') {
          emptyFields(form, ['card_ccv'])
        }
        revealFaults(form, [])
        showAlert(form, () => declineWordsIn(form, code))
      })
      const message = form.view.alert.value
      emitFailure(code, message)
      announce(form, focusAlert() ? '' : message)
    },
    /** A card that can't be tokenised or is not accepted here is reported as in every form. */
    reportCardFailure(outcome: TokeniseOutcome): void {
      const emitAsFailure: Emit = (event) => {
        if ('error' in event) emitFailure(event.error.code, event.error.message)
      }
      batch(() => reportTokenOutcome(form, { emit: emitAsFailure, focus }, outcome))
    },
  }
}
