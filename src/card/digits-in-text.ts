import { asciiDigits } from './digits.ts'

/** Digits that stand together, 0 to 9 in any script, and what stands between them and the digits before. */
export interface DigitGroup {
  digits: string
  /** Without spaces, every dash as `-`: what is left tells one kind of separator from another. */
  separator: string
}

/** Groups of digits with no letter between, nor a comma, semicolon or colon before white space. */
export type DigitRun = readonly DigitGroup[]

/** Accents, strokes and keycaps on a digit, and what is not seen at all: soft hyphens, zero-width spaces. */
const unseen = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** ー of a Japanese keyboard is a letter to Unicode (Lm) and a dash to people. */
const run = /\d+(?:(?:[^\p{Lu}\p{Ll}\p{Lt}\p{Lo}\d,;:]|[,;:](?!\s))+\d+)*/gu
const group = /(\D*)(\d+)/g
/** A text within a text is escaped again: with more backslashes, or the sign of the escape itself escaped. */
const escape =
  /(?:%[\da-f]{2})+|&#(?:\d{1,7}|x[\da-f]{1,6});?|&[a-z]{2,8};|\\+(?:u[\da-f]{4}|u\{[\da-f]{1,6}\}|x[\da-f]{2}|[bfnrt])/gi
const MAX_ESCAPES = 3
/** In ASCII a digit has one form, and nothing is unseen. */
const ascii = /^[\0-\x7f]*$/

/**
 * A text with its digits as 0 to 9, whatever their script or form (full-width, superscript, circled: Unicode NFKC), and
 * without what is not seen.
 */
export function inPlainDigits(text: string): string {
  if (ascii.test(text)) return text
  // Marks go first: to bring many of them in order takes NFKC a time that grows with their square.
  return asciiDigits(text.replace(unseen, '').normalize('NFKC').replace(unseen, ''))
}

/** A text as it stands, and with its escapes taken back once, twice and three times, as long as that changes it. */
export function readingsOf(text: string): string[] {
  const readings = [text]
  for (let times = 0; times < MAX_ESCAPES; times += 1) {
    const last = readings.at(-1) ?? ''
    const next = withoutEscapes(last)
    if (next === last) break
    readings.push(next)
  }
  return readings
}

/** The escapes of addresses (`%35`), HTML (`&#53;`, `&nbsp;`) and JSON (`\u0035`, `\n`); what stands for no digit is a space. */
function withoutEscapes(text: string): string {
  return text.replace(escape, (found) => {
    if (found.startsWith('%')) return percentDecoded(found)
    if (/^&amp;$/i.test(found)) return '&'
    const code = /^(?:&#x|\\+u\{?|\\+x)([\da-f]+)/i.exec(found)?.[1]
    const point = code === undefined ? Number(/^&#(\d+)/.exec(found)?.[1] ?? 32) : parseInt(code, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : ' '
  })
}

/** The runs of a text in plain digits that have at least so many characters: most have few, and are left out at once. */
export function digitRunsOf(plain: string, minLength: number): DigitRun[] {
  const found = (plain.match(run) ?? []).filter(({ length }) => length >= minLength)
  return found.map((text) =>
    Array.from(text.matchAll(group), ([, between = '', digits = '']) => ({
      digits,
      separator: between === '' ? '' : between.replace(/\s+/g, '').replace(/\p{Pd}/gu, '-'),
    })),
  )
}

function percentDecoded(escaped: string): string {
  try {
    return decodeURIComponent(escaped)
  } catch {
    return ' '
  }
}
