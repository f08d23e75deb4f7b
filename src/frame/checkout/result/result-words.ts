import type { Form } from '../../form/form-view.ts'
import { checkoutWordsOf } from '../checkout-words.ts'
import { filled } from '../../language/translation.ts'
import type { CheckoutState } from '../checkout-state.ts'

/** Title and text of the result in the current language; '' while the form is shown. */
export function resultWordsOf({ screen, session, offline }: CheckoutState, form: Form) {
  const name = screen.value
  if (name === 'opening' || name === 'form') return { title: '', text: '' }
  const isOfflineCheck = (name === 'checking' || name === 'authenticating') && offline.value
  return {
    title: checkoutWordsOf(form, `${name}_title`),
    text: filled(
      checkoutWordsOf(form, isOfflineCheck ? 'checking_offline' : `${name}_text`),
      'merchant',
      session.value?.merchant_name ?? '',
    ),
  }
}

/** The same in one text of two lines: no language's own mark for the end of a sentence is needed between them. */
export function resultLinesOf(state: CheckoutState, form: Form): string {
  const { title, text } = resultWordsOf(state, form)
  return `${title}\n${text}`
}
