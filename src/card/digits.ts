/** What nearly no text has that is typed into the form: a search through the digits of all scripts takes the first key longer to prepare. */
export const beyondAscii = /[\u0080-\uffff]/
const anyDigit = /\p{Nd}/gu
const isDigit = /^\p{Nd}$/u

/** Converts decimal digits of any script (full-width, Arabic-Indic, …) to 0 to 9 and keeps the rest. */
export function asciiDigits(text: string): string {
  if (!beyondAscii.test(text)) return text
  return text.replace(anyDigit, (digit) => (digit <= '9' ? digit : String(valueOf(digit))))
}

/** Only the digits of a text, as 0 to 9. */
export function digitsOf(text: string): string {
  return asciiDigits(text).replace(/\D/g, '')
}

/** Whether digits have the right check digit (ISO/IEC 7812-1, annex B): quicker to ask than the whole verdict. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let place = 1; place <= digits.length; place += 1) {
    const digit = Number(digits[digits.length - place])
    sum += place % 2 === 1 ? digit : digit < 5 ? digit * 2 : digit * 2 - 9
  }
  return sum % 10 === 0
}

/** Unicode encodes the digits of a script as ten consecutive characters from zero (The Unicode Standard, 4.6). */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let below = 0
  while (isDigit.test(String.fromCodePoint(code - below - 1))) below += 1
  return below % 10
}
