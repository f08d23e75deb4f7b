import type { Form } from '../../form/form-view.ts'
import { checkoutWordsOf } from '../checkout-words.ts'
import { filled } from '../../language/translation.ts'
import type { CheckoutWordName } from '../checkout-word-names.ts'
import type { CheckoutState, Screen } from '../checkout-state.ts'

/** Title and text of the result in the current language; '' while the form is shown. */
export function resultWordsOf(state: CheckoutState, form: Form) {
  const screen = state.screen.value
  if (screen === 'opening' || screen === 'form') return { title: '', text: '' }
  const merchant = state.session.value?.merchant_name ?? ''
  return {
    title: checkoutWordsOf(form, `${screen}_title`),
    text: filled(checkoutWordsOf(form, textNameOf(state, screen)), 'merchant', merchant),
  }
}

function textNameOf(
  { online, isPerhapsPaid }: CheckoutState,
  screen: Exclude<Screen, 'opening' | 'form'>,
): CheckoutWordName {
  if (screen === 'checking' && !online.value) return 'checking_offline'
  return screen !== 'paid' && isPerhapsPaid.value ? 'perhaps_paid_text' : `${screen}_text`
}

/** The same in one text of two lines: no language's own mark for the end of a sentence is needed between them. */
export function resultLinesOf(state: CheckoutState, form: Form): string {
  const { title, text } = resultWordsOf(state, form)
  return `${title}\n${text}`
}
