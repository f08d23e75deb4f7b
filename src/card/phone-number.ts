/** E.164 lets phone numbers have this many digits, but no such number is known, and many card numbers have them. */
export const LONGER_THAN_PHONE_NUMBERS = 15

/** In international form (E.164): `+`, then 7 to 14 digits, grouped as people group them. Behind it no digits come before a word does. */
const phoneNumber = /(?<!\S)\+(?:[ ()./-]*\d){7,14}(?!\W*\d)/g

/**
 * A text in plain digits with a letter in place of each phone number in international form. One in ten mobile numbers of Indonesia (+62)
 * and the Philippines (+63) passes for a card number of Maestro or UnionPay.
 */
export function withoutPhoneNumbers(plain: string): string {
  return plain.replace(phoneNumber, 'x')
}
