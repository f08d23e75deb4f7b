import { wordsOf } from '../form/form-state.ts'
import type { FormState } from '../form/form-state.ts'
import type { Form } from '../form/form-view.ts'
import { filled } from '../language/translation.ts'
import type { CheckoutWordName } from './checkout-word-names.ts'

/** A built-in text of the checkout in its language. */
export function checkoutWordsOf({ translation }: Pick<Form, 'translation'>, name: CheckoutWordName): string {
  return translation.value.words[name] ?? ''
}

/** The text of the checkout's button, with the amount once it is known; until then it asks for that again, where this has failed. */
export function payTextOf(form: FormState): string {
  if (form.phase.value === 'opening' && !form.waitsForAmount.value) return checkoutWordsOf(form, 'try_again')
  return form.amount.value === '' ? wordsOf(form, 'submit_button') : checkoutWordsOf(form, 'pay_amount')
}

/** What is said while the service can't be asked for the amount. */
export function unreachableWordsOf(form: Pick<Form, 'translation'>): string {
  return `${checkoutWordsOf(form, 'unreachable_title')}\n${checkoutWordsOf(form, 'unreachable_text')}`
}

/** How long the checkout can still be paid: `Time left to pay: 2:59`. */
export function timeLeftText(form: Pick<Form, 'translation'>, seconds: number): string {
  return filled(checkoutWordsOf(form, 'time_left'), 'time', timeText(seconds))
}

/** Minutes and seconds: `2:59`. */
export function timeText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/**
 * Formats an amount in units of a currency for a language: `A$49.00`, `49,00 AU$`. In Arabic a mark of direction at its end keeps letters
 * and sign together, which would be seen as `$AU`.
 */
export function amountText(amount: number, currency: string, language: string): string {
  const text = new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount)
  return language === 'ar' ? `${text}\u200e` : text
}
