import type { PaymentSuccessful } from '../../../contract/page/checkout-event.ts'
import { announce } from '../../form/announce.ts'
import { readInputs } from '../../field/read-inputs.ts'
import { emptyForm } from '../../form/empty-form.ts'
import type { Form } from '../../form/form-view.ts'
import type { Emit } from '../../page-channel.ts'
import { isFinal, isOver, isWaitingForBank } from '../checkout-state.ts'
import type { CheckoutState, Screen } from '../checkout-state.ts'
import { resultLinesOf } from './result-words.ts'
import type { Refused } from '../session/service-calls.ts'

interface ResultEffects {
  emit: Emit
  /** Moves the focus to the result if it is in this document, and answers whether it moved. */
  focusResult: () => boolean
  /** Whether the focus is on the result or its button. */
  isResultFocused: () => boolean
  /** Moves the focus to the form's first field. */
  focusForm: () => void
}

/**
 * Codes with which the service refuses a checkout's token without saying how its intent ended. Some time after the end it does so for paid
 * intents too. So a page that asked about a payment meanwhile, or was loaded after it was paid, may not claim that nothing was charged.
 */
const TOKEN_REFUSALS = ['token_expired', 'unauthorized', 'forbidden']

export type ResultScreens = ReturnType<typeof createResultScreens>

/** Creates the functions that change the screen and report each final result once, to the page and the person. */
export function createResultScreens(state: CheckoutState, form: Form, effects: ResultEffects) {
  const { emit, focusResult, isResultFocused, focusForm } = effects
  const showScreen = (screen: Screen) => {
    if (state.screen.value === screen) return
    if (isFinal(screen)) emptyForm(form)
    else readInputs(form)
    state.screen.value = screen
    const isSaid = screen === 'form' || focusResult()
    announce(form, isSaid ? '' : resultLinesOf(state, form))
  }
  return {
    showScreen,
    /** The intent can be paid. Who waited for that at a result, which is gone, comes to the form and hears so. */
    showForm(): void {
      const wasResultFocused = isResultFocused()
      showScreen('form')
      if (wasResultFocused) focusForm()
    },
    /** The intent is paid. A late success overrides an earlier result. */
    succeed({ intent_id, charge_id }: PaymentSuccessful): void {
      if (state.screen.value === 'paid') return
      showScreen('paid')
      emit({ event: 'paymentSuccessful', result: { intent_id, charge_id } })
    },
    /** The intent can no longer be paid. */
    refuse(refused: Refused): void {
      if (isOver(state)) return
      const isFirst = state.session.value === null
      const mayHavePaid = isFirst || isWaitingForBank(state)
      showScreen(mayHavePaid && TOKEN_REFUSALS.includes(refused.code) ? 'perhaps_paid' : refused.kind)
      if (refused.kind === 'expired') emit({ event: 'paymentExpired' })
      else {
        const fault = { code: refused.code, message: resultLinesOf(state, form) }
        if (isFirst) emit({ event: 'systemError', error: { ...fault, retryable: false } })
        else emit({ event: 'paymentFailure', result: fault })
      }
    },
  }
}
