import { withoutPhoneNumbers } from './phone-number.ts'

const uuid = /(?<![\da-z])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])/gi
/** Ids of 24, as ours, UUIDs without dashes and MD5, SHA-1, SHA-256. */
const hexWord = /(?<![\da-z])(?:[\da-f]{64}|[\da-f]{40}|[\da-f]{32}|[\da-f]{24})(?![\da-z])/gi
/** Country, check digits and account, in one or by fours (ISO 13616-1): 15 to 34 characters. */
const ibanLike = /(?<![\dA-Z])[A-Z]{2}\d{2}(?:[ -]?[\dA-Z]{4}){2,7}(?:[ -]?[\dA-Z]{1,3})?(?![\dA-Z])/g
const SHORTEST_IBAN = 15
/** A part of one, as programs write scores and rates: up to 17 digits behind `0.`. */
const decimalFraction = /(?<![\d.,])0\.\d+/g

/**
 * A text in plain digits without the references whose own form shows that no card number is meant, though a part of one
 * may pass for it: phone numbers in international form, UUIDs, ids and hashes in hex, decimal fractions, and IBANs with right check
 * digits. A letter stands in their place.
 */
export function withoutKnownReferences(plain: string): string {
  return withoutPhoneNumbers(plain)
    .replace(uuid, 'x')
    .replace(hexWord, (word) => (/[a-f]/i.test(word) ? 'x' : word))
    .replace(decimalFraction, 'x')
    .replace(ibanLike, withoutIban)
}

/** What follows an IBAN may look like more of it, so each place where it could end is tried. */
function withoutIban(text: string): string {
  const words = text.split(/(?<=[ -])/)
  for (let count = words.length; count > 0; count -= 1) {
    const head = words.slice(0, count).join('')
    if (isIban(head.replace(/[ -]/g, ''))) return `x ${words.slice(count).join('')}`
  }
  return text
}

/** ISO 7064 MOD 97-10: the account, then country and check digits, letters as 10 to 35, leave 1. */
function isIban(compact: string): boolean {
  if (compact.length < SHORTEST_IBAN) return false
  const moved = compact.slice(4) + compact.slice(0, 4)
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return Array.from(digits).reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1
}
