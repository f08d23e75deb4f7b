import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { holdsCardNumber } from './number-in-text.ts'
import { passesLuhn } from './digits.ts'
import { numberVerdict } from './number.ts'

vi.mock(import('./digits.ts'), { spy: true })
vi.mock(import('./number.ts'), { spy: true })

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
  /** Between groups; those in the first list may take turns. */
  const plainGaps = [' ', '  ', '-', '–', '.', '_', '·', '\u00a0', '\u2009', '\u3000', '\t', '\n', ' - ']
  const otherGaps = ['/', ',', ' | ', '+', "'"]
  const gaps = fc.oneof(
    fc.array(fc.constantFrom(...plainGaps), { minLength: 4, maxLength: 4 }),
    fc.constantFrom(...otherGaps).map((gap) => Array.from({ length: 4 }, () => gap)),
  )
  const zero = fc.constantFrom('0', '٠', '۰', '०', '০', '๐', '０', '𝟎', '᠐', '𞥐')
  const partedBefore = ['', '2x', 'card ', 'Nr. 7: ', '12, ', 'Kartennr.', '支払い']
  const pastedBehind = ['', ' 01/39 100', ' 0139', ' 12/2039', 'cvc100', ' 100', '; thanks']

  const inScript = (text: string, digitZero: string): string =>
    text.replace(/\d/g, (digit) => String.fromCodePoint((digitZero.codePointAt(0) ?? 0) + Number(digit)))

  it('is found in any script, in one piece, by fours and as printed, between other texts', () => {
    const grouped = card.chain(({ number, printed }) =>
      fc.constantFrom([number], groupsOf(number, printed), groupsOf(number, [4, 4, 4, 4, 4])),
    )
    const before = fc.constantFrom(...partedBefore, '2 ')
    const behind = fc.constantFrom(...pastedBehind, ' 2 x')
    fc.assert(
      fc.property(grouped, gaps, zero, before, behind, (groups, between, digitZero, prefix, suffix) => {
        const number = groups.map((group, at) => (between[at - 1] ?? '') + group).join('')
        expect(holdsCardNumber(prefix + inScript(number, digitZero) + suffix)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('is found in any script and grouping, with one separator, before expiry and code', () => {
    const gap = fc.constantFrom(...plainGaps, ...otherGaps)
    const behind = fc.constantFrom('', ' thanks', 'cvc100')
    const sizes = fc.constantFrom([1], [2], [8], [3, 5])
    const before = fc.constantFrom(...partedBefore)
    fc.assert(
      fc.property(card, sizes, gap, zero, before, behind, ({ number }, some, ...texts) => {
        const [between, digitZero, prefix, suffix] = texts
        fc.pre(number.length >= 15 || some[0] === 1)
        const every = Array.from({ length: 19 }, (_, at) => some[at % some.length] ?? 1)
        const shown = groupsOf(number, every).join(between)
        expect(holdsCardNumber(prefix + inScript(shown, digitZero) + suffix)).toBe(true)
      }),
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
    '4000 ',
    '4000-4000/',
    '9999 4242 4242 ',
    '4000000000000000 ',
    '%2537',
    '0.',
    '+1234567 ',
    'DE89 ',
    'DE89',
    'f0',
    '\u0301\u0316',
  ]
  beforeEach(() => {
    vi.clearAllMocks()
  })

  it.each(patterns)('of %j has at most one number checked for each of its characters', (pattern) => {
    holdsCardNumber(`${pattern.repeat(100_000 / pattern.length)} 0`)
    expect(vi.mocked(passesLuhn).mock.calls.length).toBeLessThan(100_000)
    expect(vi.mocked(numberVerdict).mock.calls.length).toBeLessThan(100_000 / 10)
  })

  it.each(patterns)('of %j takes time as its length: 8 times as long, far less than 64 times', (pattern) => {
    const cpuMsOf = (length: number) => {
      const text = pattern.repeat(length / pattern.length)
      const start = process.cpuUsage()
      holdsCardNumber(text)
      return process.cpuUsage(start).user / 1000
    }
    const isInProportion = () => cpuMsOf(65_536) < Math.max(2, cpuMsOf(8192)) * 32
    // On a busy machine one measure may be off; what grows with the square of the length never is in proportion.
    expect(isInProportion() || isInProportion() || isInProportion()).toBe(true)
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
