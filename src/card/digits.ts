const anyDigit = /\p{Nd}/gu
const isDigit = /^\p{Nd}$/u

/** Converts decimal digits of any script (full-width, Arabic-Indic, …) to 0 to 9 and keeps the rest. */
export function asciiDigits(text: string): string {
  return text.replace(anyDigit, (digit) => (digit <= '9' ? digit : String(valueOf(digit))))
}

/** Only the digits of a text, as 0 to 9. */
export function digitsOf(text: string): string {
  return asciiDigits(text).replace(/\D/g, '')
}

/** Unicode encodes the digits of a script as ten consecutive characters from zero (The Unicode Standard, 4.6). */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let below = 0
  while (isDigit.test(String.fromCodePoint(code - below - 1))) below += 1
  return below % 10
}
