import { codeVerdict } from '../card/code.ts'
import { expiryVerdict } from '../card/expiry.ts'
import { holderNameVerdict } from '../card/holder-name.ts'
import { numberVerdict } from '../card/number.ts'
import type { CardField } from './card-field.ts'
import { parseExpiry } from './expiry-text.ts'
import { cardSchemeOf, numberDigitsOf } from './form-state.ts'
import type { FormState } from './form-state.ts'

/** What is wrong with a field: nothing is in it, or what is in it is wrong; and the words that say what to do. */
interface FieldFault {
  kind: 'empty' | 'wrong'
  words: string
}

/** The fault of a field as it stands now, or null. The service's refusal counts until the field is edited. */
export function faultOf(form: FormState, field: CardField): FieldFault | null {
  if (form.typed[field].value.trim() === '') return { kind: 'empty', words: wordsIfEmpty[field](form) }
  const words = form.refusals.value[field] ?? wordsIfWrong[field](form)
  return words === null ? null : { kind: 'wrong', words }
}

/** Where the code is printed and how many digits it has, in words. */
export function codeHint(form: FormState): string {
  const scheme = cardSchemeOf(form)
  if (scheme === null) return '3 or 4 digits on the card'
  return scheme.codeLength === 4 ? '4 digits on the front' : '3 digits on the back'
}

const wordsIfEmpty: Record<CardField, (form: FormState) => string> = {
  card_name: () => 'Enter the name on the card.',
  card_number: () => 'Enter the card number.',
  expiry: () => 'Enter the expiry date.',
  card_ccv: (form) => `Enter the security code: ${codeHint(form)}.`,
}

const wordsIfWrong: Record<CardField, (form: FormState) => string | null> = {
  card_name: ({ typed }) =>
    holderNameVerdict(typed.card_name.value) === 'valid'
      ? null
      : 'Enter only the name here, not the card number.',
  card_number: wordsOnNumber,
  expiry: wordsOnExpiry,
  card_ccv: (form) =>
    codeVerdict(form.typed.card_ccv.value, cardSchemeOf(form)) === 'valid'
      ? null
      : `Check the security code: ${codeHint(form)}.`,
}

function wordsOnNumber(form: FormState): string | null {
  const digits = numberDigitsOf(form)
  const verdict = numberVerdict(digits)
  if (verdict === 'valid') return null
  const tooShort = verdict === 'incomplete' && cardSchemeOf(form)?.lengths.includes(digits.length) !== true
  return tooShort
    ? 'The card number is too short. Enter all of its digits.'
    : 'This card number can’t be right. Check each digit.'
}

function wordsOnExpiry(form: FormState): string | null {
  const text = form.typed.expiry.value
  const expiry = parseExpiry(text)
  if (expiry === null) return 'Enter month and year, like 04 / 29.'
  const now = form.now()
  if (expiryVerdict(expiry, now) === 'valid') return null
  if (expiry.month < 1 || expiry.month > 12) return 'Check the month: it must be 01 to 12.'
  return expiry.year > new Date(now).getUTCFullYear()
    ? 'Check the year: it is too far ahead.'
    : 'This date has passed. Check it, or use another card.'
}
