import * as v from 'valibot'
import { Amount } from '../../contract/api/fields/amount.ts'

/** Integer cents of an amount in units of the currency, as answers of the service have it. */
export function centsOf(amount: number): number {
  return Math.round(amount * 100)
}

/** Integer cents of what a person has typed, such as `10`, `7.5` or `7,50`; null for no amount above zero. */
export function typedCents(text: string): number | null {
  const { success, output } = v.safeParse(Amount, text.trim().replace(',', '.'))
  return success ? output : null
}

/** The decimal text of integer cents that the service takes, such as `7.50`. */
export function decimalOf(cents: number): string {
  return (cents / 100).toFixed(2)
}
