import { batch } from '@preact/signals'
import type { PaymentSuccessful } from '../../../contract/page/checkout-event.ts'
import type { Form } from '../../form/form-view.ts'
import type { Emit } from '../../page-channel.ts'
import { isOver } from '../checkout-state.ts'
import type { CheckoutState, Scene } from '../checkout-state.ts'
import { resultWordsOf } from './result-words.ts'
import type { Refused } from '../session/service-calls.ts'

interface Parts {
  emit: Emit
  /** Puts the focus on what the scene says, if it is in this document at all; says whether it is. */
  focusResult: () => boolean
}

export type ResultScreens = ReturnType<typeof createResultScreens>

/** Makes what changes the scene in place of the form, and tells page and person, each ending once. */
export function createResultScreens(state: CheckoutState, form: Form, { emit, focusResult }: Parts) {
  const show = (scene: Scene) => {
    if (state.scene.value === scene) return
    batch(() => {
      state.scene.value = scene
      form.announcement.value = ''
    })
    const { title, text } = resultWordsOf(state, form)
    if (scene !== 'form' && !focusResult()) form.announcement.value = `${title}. ${text}`
  }
  return {
    show,
    /** It is paid: a late success overrides an earlier ending. */
    succeed({ intent_id, charge_id }: PaymentSuccessful): void {
      if (state.scene.value === 'paid') return
      show('paid')
      emit({ event: 'paymentSuccessful', result: { intent_id, charge_id } })
    },
    /** No payment can be made any more. */
    refuse(refused: Refused): void {
      if (isOver(state)) return
      const isFirst = state.session.value === null
      show(refused.kind)
      if (refused.kind === 'expired') emit({ event: 'paymentExpired' })
      else {
        const { title, text } = resultWordsOf(state, form)
        const fault = { code: refused.code, message: `${title}. ${text}` }
        if (isFirst) emit({ event: 'systemError', error: { ...fault, retryable: false } })
        else emit({ event: 'paymentFailure', result: fault })
      }
    },
  }
}
