import { batch } from '@preact/signals'
import { revealFaults } from '../../form/form-faults.ts'
import { putInto } from '../../form/form-state.ts'
import type { Form } from '../../form/form-view.ts'
import type { Emit } from '../../page-channel.ts'
import { settle, showAlert } from '../../submit/settle-submit.ts'
import type { Audience } from '../../submit/settle-submit.ts'
import type { TokeniseOutcome } from '../../tokenise/tokenise.ts'
import type { CheckoutWordName } from '../checkout-word-names.ts'
import { checkoutWordsOf } from '../checkout-words.ts'

interface Parts extends Audience {
  /** Puts the focus on the alert, if it is in this document at all; says whether it is. */
  focusAlert: () => boolean
}

export type PaymentFailures = ReturnType<typeof createPaymentFailures>

/** Makes what tells person and page that a payment failed and the form takes another try. */
export function createPaymentFailures(form: Form, { emit, focus, focusAlert }: Parts) {
  const tell = (code: string, message: string) => emit({ event: 'paymentFailure', result: { message, code } })
  return {
    /** The bank, or the gateway, said no. What is typed stays, but for the card's code: one try is all it is kept for. */
    decline(code: string): void {
      batch(() => {
        putInto(form, 'card_ccv', '')
        form.histories.delete('card_ccv')
        revealFaults(form, [])
        showAlert(form, () => checkoutWordsOf(form, DECLINE_WORDS[code] ?? 'payment_failed'))
      })
      const message = form.view.alert.value
      tell(code, message)
      if (!focusAlert()) form.announcement.value = message
    },
    /** What keeps a card from becoming a token, or from being taken here, is said as in every form. */
    refuseCard(outcome: TokeniseOutcome): void {
      const tellFailure: Emit = (emission) => {
        if ('error' in emission) tell(emission.error.code, emission.error.message)
      }
      batch(() => settle(form, { emit: tellFailure, focus }, outcome))
    },
  }
}

/** A suspicion of fraud reads as any other decline: nobody is accused, and no thief is taught. */
const DECLINE_WORDS: Readonly<Record<string, CheckoutWordName>> = {
  transaction_declined: 'transaction_declined',
  fraud_warning: 'transaction_declined',
  insufficient_funds: 'insufficient_funds',
  credit_card_invalid_or_expired: 'credit_card_invalid_or_expired',
  gateway_unavailable: 'gateway_unavailable',
  token_not_found: 'token_not_found',
}
