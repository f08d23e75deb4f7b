import type { Form } from '../form-view.ts'
import type { CheckoutWordName } from './checkout-word-names.ts'

/** What the checkout says by a name, in its language. */
export function checkoutWordsOf({ speech }: Pick<Form, 'speech'>, name: CheckoutWordName): string {
  return speech.value.words[name] ?? ''
}

/** What the checkout's button says: the amount, once it is known. */
export function payTextOf({ speech, amount }: Pick<Form, 'speech' | 'amount'>): string {
  return amount.value === ''
    ? (speech.value.words['submit_button'] ?? '')
    : checkoutWordsOf({ speech }, 'pay_amount')
}
