const anyDigit = /\p{Nd}/gu
const isDigit = /^\p{Nd}$/u

/** Writes decimal digits of any script (full-width, Arabic-Indic …) as 0 to 9; the rest stays as it is. */
export function asciiDigits(text: string): string {
  return text.replace(anyDigit, (digit) => (digit <= '9' ? digit : String(valueOf(digit))))
}

/** The digits of a text as 0 to 9, without anything between or around them. */
export function digitsOf(text: string): string {
  return asciiDigits(text).replace(/\D/g, '')
}

/** Unicode keeps the digits of a script in runs of ten that begin with its zero (The Unicode Standard, 4.6). */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let below = 0
  while (isDigit.test(String.fromCodePoint(code - below - 1))) below += 1
  return below % 10
}
