import type { Language } from '../contract/widget-appearance.ts'

/** What the form says by itself, in English; the files in `languages/` say the same by the same names. */
export const ENGLISH = {
  title: 'Card details',
  card_name: 'Name on card',
  card_number: 'Card number',
  expiry: 'Expiry date',
  card_ccv: 'Security code',
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  phone: 'Phone',
  address_line1: 'Address',
  address_line2: 'Address, second line',
  address_city: 'City',
  address_state: 'State or region',
  address_country: 'Country',
  address_postcode: 'Postcode',
  address_company: 'Company',
  expiry_form: 'MM / YY',
  optional: '(optional)',
  accepted: 'Accepted cards',
  card: 'Card',
  submit_button: 'Pay',
  submit_button_processing: 'Sending card details…',
  finish_text: 'Card details received',
  code_any: '3 or 4 digits on the card',
  code_back: '3 digits on the back',
  code_front: '4 digits on the front',
  empty: 'Fill in: {label}.',
  no_card_name: 'Enter the name on the card.',
  no_card_number: 'Enter the card number.',
  no_expiry: 'Enter the expiry date.',
  no_card_ccv: 'Enter the security code: {hint}.',
  wrong_name: 'Enter only the name here, not the card number.',
  wrong_email: 'Check the email address, like name@example.com.',
  short_number: 'The card number is too short. Enter all of its digits.',
  wrong_number: 'This card number can’t be right. Check each digit.',
  wrong_scheme: 'This card can’t be used here. Use {schemes}.',
  wrong_expiry: 'Enter month and year, like 04 / 29.',
  wrong_month: 'Check the month: it must be 01 to 12.',
  far_year: 'Check the year: it is too far ahead.',
  past_expiry: 'This date has passed. Check it, or use another card.',
  wrong_code: 'Check the security code: {hint}.',
  refused_field: 'This was not accepted. Check it on the card.',
  refused_card: 'These card details were not accepted. Check them, or use another card.',
  offline: 'You are offline. Connect to the internet and press {button} again.',
  network_error: 'The card details could not be sent. Check your connection and press {button} again.',
  timeout: 'The answer took too long. Check your connection and press {button} again.',
  rate_limited: 'Too many tries just now. Wait a minute and press {button} again.',
  fault: 'Something went wrong on our side. Nothing was charged. Wait a moment and press {button} again.',
  closed:
    'Cards can’t be taken here at the moment. Nothing was charged. Contact the shop to pay another way.',
}

export type WordName = keyof typeof ENGLISH
export type Words = Readonly<Record<WordName, string>>

/** A language and what the form says in it. */
export interface Speech {
  language: Language
  words: Words
}

/** The form's own language, which needs no request. */
export const ENGLISH_SPEECH: Speech = { language: 'en', words: ENGLISH }

/** Reads a language's texts as they come from a file: what they leave out is said in English. */
export function speechOf(language: Language, words: Readonly<Record<string, string>>): Speech {
  return { language, words: { ...ENGLISH, ...words } }
}

/** A text with something in the place of its `{name}`. */
export function filled(text: string, name: string, value: string): string {
  return text.split(`{${name}}`).join(value)
}
