import type { Form } from '../../form/form-view.ts'
import { checkoutWordsOf } from '../checkout-words.ts'
import { filled } from '../../language/translation.ts'
import type { CheckoutState } from '../checkout-state.ts'

/** What stands in the place of the form, in the language of the moment; '' while there is a form. */
export function resultWordsOf({ scene, session, online }: CheckoutState, form: Form) {
  const name = scene.value
  if (name === 'opening' || name === 'form') return { title: '', text: '' }
  const isOfflineCheck = name === 'checking' && !online.value
  return {
    title: checkoutWordsOf(form, `${name}_title`),
    text: filled(
      checkoutWordsOf(form, isOfflineCheck ? 'checking_offline' : `${name}_text`),
      'merchant',
      session.value?.merchant_name ?? '',
    ),
  }
}
