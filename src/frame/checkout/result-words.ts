import type { FormState } from '../form-state.ts'
import { wordsOf } from '../form-texts.ts'
import { filled } from '../words.ts'
import type { CheckoutState } from './checkout-state.ts'

/** What stands in the place of the form, in the language of the moment; '' while there is a form. */
export function resultWordsOf({ scene, session, online }: CheckoutState, form: FormState) {
  const name = scene.value
  if (name === 'opening' || name === 'form') return { title: '', text: '' }
  const isOfflineCheck = name === 'checking' && !online.value
  return {
    title: wordsOf(form, `${name}_title`),
    text: filled(
      wordsOf(form, isOfflineCheck ? 'checking_offline' : `${name}_text`),
      'merchant',
      session.value?.merchant_name ?? '',
    ),
  }
}
