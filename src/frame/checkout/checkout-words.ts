import type { Form } from '../form/form-view.ts'
import type { CheckoutWordName } from './checkout-word-names.ts'

/** What the checkout says by a name, in its language. */
export function checkoutWordsOf({ translation }: Pick<Form, 'translation'>, name: CheckoutWordName): string {
  return translation.value.words[name] ?? ''
}

/** What the checkout's button says: the amount, once it is known. */
export function payTextOf({ translation, amount }: Pick<Form, 'translation' | 'amount'>): string {
  return amount.value === ''
    ? (translation.value.words['submit_button'] ?? '')
    : checkoutWordsOf({ translation }, 'pay_amount')
}

/** An amount in units of a currency → as people write it in a language: `A$49.00`, `49,00 AU$`. */
export function amountText(amount: number, currency: string, language: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount)
}
