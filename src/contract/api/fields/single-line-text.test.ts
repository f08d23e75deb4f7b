import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { singleLineText } from './single-line-text.ts'

const isTaken = (value: string) => v.safeParse(singleLineText(40), value).success
const named = (codes: readonly number[]) =>
  codes.map((code) => [`U+${code.toString(16).toUpperCase().padStart(4, '0')}`, String.fromCodePoint(code)])

describe('a single line of text', () => {
  it.each([
    'Power & light – “Acme”, no. 7',
    'Zoë Müller-Łukasik',
    'محمد عبد الله',
    'שרה כהן',
    'Rent \u200F(שכירות)\u200E',
    'می\u200Cخواهم',
    '山田太郎',
    '👩\u200D👩\u200D👧',
  ])('may be %s', (value) => {
    expect(isTaken(value)).toBe(true)
  })

  it.each(
    named([
      ...[0x01, 0x09, 0x0a, 0x0b, 0x0d, 0x1b, 0x7f, 0x85, 0x9f, 0x2028, 0x2029],
      ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
    ]),
  )('must not hold %s', (_, character) => {
    expect(isTaken(`Acme${character}Power`)).toBe(false)
  })

  it.each([
    ['nothing', ''],
    ['spaces', '  '],
    ...named([0xa0, 0x3000, 0x200b, 0x200f, 0x2060, 0x3164, 0xfeff]),
  ])('must not be only %s', (_, value) => {
    expect(isTaken(value)).toBe(false)
  })

  it('is trimmed, and no longer than it may be', () => {
    expect(v.parse(singleLineText(4), ' Acme\n')).toBe('Acme')
    expect(v.safeParse(singleLineText(3), 'Acme').success).toBe(false)
  })
})
