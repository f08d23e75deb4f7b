import { passesLuhn } from '../digits.ts'
import { numberVerdict } from '../number.ts'

/** By fours, the last of which may be shorter; each begins where it may, also within another. */
const byFours = /(?<!\d)(?=(\d{4}(?:[^a-z\d]+\d{4}){2,3}[^a-z\d]+\d{1,4})(?!\d))/gi
/** As American Express (4-6-5) and Diners Club (4-6-4 and, of 16 digits, 4-6-6) print theirs; each begins where it may. */
const printed = /(?<!\d)(?=(\d{4}([^a-z\d]+)\d{6}\2\d{4,6})(?!\d))/gi
/** Ends of a text that a person pastes with a number: the code, the expiry, or both. */
const pasted = /^(?:\d{3,4}|(?:0[1-9]|1[0-2])(?:20)?[2-5]\d(?:\d{3,4})?)$/

/**
 * Whether a text is a card number by chance, so that no rule could tell it from one: all its digits between two words,
 * some that stand by themselves, or some that are set as on a card.
 */
export function isCardByChance(text: string): boolean {
  return [
    ...text.split(/[a-z]+/i),
    ...(text.match(/\d+/g) ?? []),
    ...Array.from(text.matchAll(byFours), ([, fours = '']) => fours),
    ...Array.from(text.matchAll(printed), ([, digits = '']) => digits),
  ].some((part) => isNumberWithMore(part.replace(/\D/g, '')))
}

function isNumberWithMore(digits: string): boolean {
  return (
    isCardNumber(digits) ||
    [15, 16].some((length) => pasted.test(digits.slice(length)) && isCardNumber(digits.slice(0, length)))
  )
}

function isCardNumber(digits: string): boolean {
  return digits.length >= 13 && digits.length <= 19 && passesLuhn(digits) && numberVerdict(digits) === 'valid'
}
