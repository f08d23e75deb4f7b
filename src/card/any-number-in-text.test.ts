import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holdsCardNumber } from './number-in-text.ts'
import { passesLuhn } from './number.ts'

describe('any card number', () => {
  const scheme = fc.constantFrom(
    { bins: ['4012', '4929'], length: 16, printed: [4, 4, 4, 4] },
    { bins: ['4012'], length: 19, printed: [4, 4, 4, 4, 3] },
    { bins: ['5111', '5555', '2221', '2720'], length: 16, printed: [4, 4, 4, 4] },
    { bins: ['3714', '3400'], length: 15, printed: [4, 6, 5] },
    { bins: ['3056', '3600'], length: 14, printed: [4, 6, 4] },
    { bins: ['3530'], length: 16, printed: [4, 4, 4, 4] },
    { bins: ['6011', '6450', '6200', '6759'], length: 16, printed: [4, 4, 4, 4] },
    { bins: ['6304'], length: 19, printed: [4, 4, 4, 4, 3] },
  )
  const card = scheme.chain(({ bins, length, printed }) =>
    fc
      .tuple(fc.constantFrom(...bins), fc.stringMatching(new RegExp(`^\\d{${length - 5}}$`)))
      .map(([bin, rest]) => ({ number: withCheckDigit(bin + rest), printed })),
  )
  const grouped = card.chain(({ number, printed }) =>
    fc.constantFrom(
      [number],
      groupsOf(number, printed),
      groupsOf(number, [4, 4, 4, 4, 4]),
      groupsOf(
        number,
        Array.from(number).map(() => 1),
      ),
    ),
  )
  const gap = fc.constantFrom(
    ' ',
    '  ',
    '-',
    '–',
    '.',
    '/',
    '_',
    '·',
    ',',
    '\u00a0',
    '\u2009',
    '\u3000',
    '\t',
    '\n',
    ' - ',
  )
  const zero = fc.constantFrom('0', '٠', '۰', '०', '০', '๐', '０', '𝟎', '᠐', '𞥐')
  const before = fc.constantFrom('', '2 ', '2x', 'card ', 'Nr. 7: ', '12, ', 'Kartennr.', '支払い')
  const behind = fc.constantFrom('', ' 01/39 100', ' 0139', ' 12/2039', 'cvc100', ' 100', '; thanks', ' 2 x')

  it('is found in any script, with any separators, between other texts', () => {
    fc.assert(
      fc.property(
        grouped,
        fc.array(gap, { minLength: 19, maxLength: 19 }),
        zero,
        before,
        behind,
        (...parts) => {
          const [groups, gaps, digitZero, prefix, suffix] = parts
          const number = groups.map((group, at) => (at === 0 ? group : `${gaps[at] ?? ''}${group}`)).join('')
          const base = digitZero.codePointAt(0) ?? 0
          const shown = number.replace(/\d/g, (digit) => String.fromCodePoint(base + Number(digit)))
          expect(holdsCardNumber(prefix + shown + suffix)).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('a long text', () => {
  const patterns = [
    '7',
    '0 ',
    '5 ',
    '1 8 0 1 ',
    '9 7 9 ',
    '18014 ',
    '7000-',
    'a7',
    '%37',
    '&#5',
    'DE89 ',
    'DE89',
    'f0',
    '\u0301\u0316',
  ]
  it.each(patterns)('of %j takes time as its length: 8 times as long, far less than 64 times', (pattern) => {
    const cpuMsOf = (length: number) => {
      const text = pattern.repeat(length / pattern.length)
      const times = Array.from({ length: 3 }, () => {
        const start = process.cpuUsage()
        holdsCardNumber(text)
        return process.cpuUsage(start).user / 1000
      })
      return Math.min(...times)
    }
    expect(cpuMsOf(65_536)).toBeLessThan(Math.max(2, cpuMsOf(8192)) * 32)
  })
})

function groupsOf(number: string, sizes: readonly number[]): string[] {
  let at = 0
  return sizes.map((size) => number.slice(at, (at += size))).filter((group) => group !== '')
}

function withCheckDigit(digits: string): string {
  const check = Array.from('0123456789').find((digit) => passesLuhn(digits + digit))
  return digits + (check ?? '')
}
