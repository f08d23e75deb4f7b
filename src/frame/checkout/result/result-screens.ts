import type { PaymentSuccessful } from '../../../contract/page/checkout-event.ts'
import { announce } from '../../form/announce.ts'
import type { Form } from '../../form/form-view.ts'
import type { Emit } from '../../page-channel.ts'
import { isOver } from '../checkout-state.ts'
import type { CheckoutState, Screen } from '../checkout-state.ts'
import { resultLinesOf } from './result-words.ts'
import type { Refused } from '../session/service-calls.ts'

interface ResultEffects {
  emit: Emit
  /** Moves the focus to the result if it is in this document, and answers whether it moved. */
  focusResult: () => boolean
}

export type ResultScreens = ReturnType<typeof createResultScreens>

/** Creates the functions that change the screen and report each final result once, to the page and the person. */
export function createResultScreens(state: CheckoutState, form: Form, { emit, focusResult }: ResultEffects) {
  const show = (screen: Screen) => {
    if (state.screen.value === screen) return
    state.screen.value = screen
    const isSaid = screen === 'form' || focusResult()
    announce(form, isSaid ? '' : resultLinesOf(state, form))
  }
  return {
    show,
    /** The intent is paid. A late success overrides an earlier result. */
    succeed({ intent_id, charge_id }: PaymentSuccessful): void {
      if (state.screen.value === 'paid') return
      show('paid')
      emit({ event: 'paymentSuccessful', result: { intent_id, charge_id } })
    },
    /** The intent can no longer be paid. */
    refuse(refused: Refused): void {
      if (isOver(state)) return
      const isFirst = state.session.value === null
      show(refused.kind)
      if (refused.kind === 'expired') emit({ event: 'paymentExpired' })
      else {
        const fault = { code: refused.code, message: resultLinesOf(state, form) }
        if (isFirst) emit({ event: 'systemError', error: { ...fault, retryable: false } })
        else emit({ event: 'paymentFailure', result: fault })
      }
    },
  }
}
