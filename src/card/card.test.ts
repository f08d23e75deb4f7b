import { describe, expect, it } from 'vitest'
import { codeVerdict } from './code.ts'
import { expiryVerdict } from './expiry.ts'
import { holderNameVerdict } from './holder-name.ts'
import { binOf, isOfOtherNetwork, lastFourOf, numberVerdict } from './number.ts'
import { possiblyTakenAs, schemeLabelOf, schemeOf } from './scheme.ts'

describe('the scheme of a number', () => {
  it.each([
    ['4', 'visa', [4, 8, 12, 16], 3],
    ['5111111111111118', 'mastercard', [4, 8, 12], 3],
    ['1', 'japcb', [4, 8, 12, 16], 3],
    ['2221', 'mastercard', [4, 8, 12], 3],
    ['371449635398431', 'amex', [4, 10], 4],
    ['30569309025904', 'diners', [4, 10], 3],
    ['6011', 'discover', [4, 8, 12, 16], 3],
    ['3530111333300000', 'japcb', [4, 8, 12, 16], 3],
    ['6759649826438453', 'maestro', [4, 8, 12, 16], 3],
    ['6200000000000005', 'unionpay', [4, 8, 12, 16], 3],
    ['6304', 'maestro', [4, 8, 12, 16], 3],
    ['5600', 'maestro', [4, 8, 12, 16], 3],
  ])('%s is %s', (digits, name, gaps, codeLength) => {
    expect(schemeOf(digits)).toMatchObject({ name, gaps, codeLength })
  })

  it.each([
    // Ranges of schemes that are closed, which are Maestro's today.
    ['5610591081018250', 'maestro', ['maestro', 'ausbc']],
    ['5602211111111111', 'maestro', ['maestro', 'ausbc']],
    ['6334580500000000', 'maestro', ['maestro', 'solo']],
    ['676740000000000002', 'maestro', ['maestro', 'solo']],
    ['6304900017740292441', 'maestro', ['maestro', 'laser']],
    ['6304000000000000', 'maestro', ['maestro', 'laser']],
    ['670676000000000006', 'maestro', ['maestro', 'laser']],
    ['6709000000000009', 'maestro', ['maestro', 'laser']],
    ['6771000000000009', 'maestro', ['maestro', 'laser']],
    // Maestro's own: UK (Switch), Bancontact, girocard.
    ['6759000000000000', 'maestro', ['maestro']],
    ['6333000000000000', 'maestro', ['maestro']],
    ['5641820000000000', 'maestro', ['maestro']],
    ['6703000000000000', 'maestro', ['maestro']],
    ['5018000000000000', 'maestro', ['maestro']],
    ['5893000000000000', 'maestro', ['maestro']],
    // Local networks, which other schemes' wide ranges would hold.
    ['5085000000000000', 'rupay', ['rupay', 'discover']],
    ['6069850000000000', 'rupay', ['rupay', 'discover']],
    ['6070000000000000', 'rupay', ['rupay', 'discover']],
    ['6521500000000000', 'rupay', ['rupay', 'discover']],
    ['8172000000000000', 'rupay', ['rupay', 'discover']],
    ['8200000000000000', 'rupay', ['rupay', 'discover']],
    ['5019000000000000', 'dankort', ['dankort']],
    ['4571000000000000', 'visa', ['visa']],
    ['5078030000000000', 'meeza', ['meeza']],
    ['5888450000000000', 'mada', ['mada', 'maestro']],
    ['9682010000000000', 'mada', ['mada', 'maestro']],
    ['6042010000000000', 'cabal', ['cabal']],
    ['2869000000000000', 'carnet', ['carnet']],
    ['5061990000000000', 'carnet', ['carnet']],
    ['3571110000000000', 'lankapay', ['lankapay', 'japcb']],
    ['6040010000000000', 'ukrcard', ['ukrcard']],
    ['5895620000000000', 'naranja', ['naranja']],
    ['5060990000000000', 'verve', ['verve']],
    ['5061980000000000', 'verve', ['verve']],
    ['6500020000000000', 'verve', ['verve']],
    ['9792000000000000', 'troy', ['troy']],
    ['6500520000000000', 'troy', ['troy']],
    ['5066990000000000', 'elo', ['elo']],
    ['5090000000000000', 'elo', ['elo']],
    ['6277800000000000', 'elo', ['elo']],
    ['6062820000000000', 'hipercard', ['hipercard']],
    ['6370950000000000', 'hiper', ['hiper']],
    ['2200000000000000', 'mir', ['mir']],
    ['6221260000000000', 'unionpay', ['unionpay']],
    ['6271000000000000', 'unionpay', ['unionpay']],
    ['8171000000000000', 'unionpay', ['unionpay']],
    ['6500000000000000', 'discover', ['discover']],
    ['3528000000000000', 'japcb', ['japcb']],
    ['4026000000000000', 'visa', ['visa']],
  ])('%s is %s and taken as %j', (digits, name, takenAs) => {
    expect(schemeOf(digits)).toMatchObject({ name, takenAs })
  })

  it.each([[''], ['3'], ['5'], ['6'], ['9999'], ['8600']])('%j is none yet', (digits) => {
    expect(schemeOf(digits)).toBeNull()
  })
})

it.each([
  ['amex', 'American Express'],
  ['japcb', 'JCB'],
  ['visa', 'Visa'],
  ['ausbc', 'Bankcard'],
])('%s is called %s', (name, label) => {
  expect(schemeLabelOf(name)).toBe(label)
})

describe('a card number', () => {
  it.each([
    ['5111111111111118', 'valid'],
    ['4012000033330026', 'valid'],
    ['371449635398431', 'valid'],
    ['30569309025904', 'valid'],
    ['6200000000000005', 'valid'],
    ['5610591081018250', 'valid'],
    ['5610591081018251', 'incomplete'],
    ['6334580500000000', 'valid'],
    ['6304900017740292441', 'valid'],
    ['6759649826438453', 'valid'],
    ['', 'incomplete'],
    ['4', 'incomplete'],
    ['411111111111', 'incomplete'],
    ['4111111111111112', 'incomplete'],
    ['5111111111111119', 'invalid'],
    ['371449635398432', 'invalid'],
    ['6200000000000006', 'incomplete'],
    ['99', 'invalid'],
    ['41111111111111111111', 'invalid'],
    ['4111 1111 1111 111x', 'invalid'],
  ] as const)('%j is %s', (digits, verdict) => {
    expect(numberVerdict(digits)).toBe(verdict)
  })

  it.each([
    ['Uzcard', '8600120000000003'],
    ['Uzcard, half', '860012'],
    ['Uzcard in a range of Maestro', '5614680000000000'],
    ['Humo', '9860120000000002'],
    ['Napas', '9704000000000018'],
    ['Napas, long', '9704000000000000000'],
    ['PayPak', '2205000000000005'],
    ['Belkart', '9112000000000000'],
    ['UATP', '135412345678911'],
    ['GPN', '1946000000000000'],
    ['T-Union', '3100000000000000'],
    ['Prostir', '9804000000000000'],
    ['a fuel card', '7000000000000005'],
    ['a card of industry 8', '8900000000000004'],
  ])('%s (%s) is real, of a network that is not taken', (_, digits) => {
    expect(isOfOtherNetwork(digits)).toBe(true)
    expect(numberVerdict(digits)).toBe('invalid')
    expect(schemeOf(digits)).toBeNull()
  })

  it.each([
    '1',
    '0000000000000000',
    '4111111111111112',
    '6304000000000000',
    '7000000000000006',
    '7000',
    '1800000000000000',
    '',
  ])('%j is not known to be of another network', (digits) => {
    expect(isOfOtherNetwork(digits)).toBe(false)
  })

  it('shows its last four digits only when it is long enough to hide the rest', () => {
    expect(lastFourOf('5111111111111118')).toBe('1118')
    expect(lastFourOf('51111111111')).toBe('')
  })

  it('names its issuer by 8 digits, or 6 on a number too short for that', () => {
    expect(binOf('5111111111111118')).toBe('51111111')
    expect(binOf('371449635398431')).toBe('371449')
  })
})

describe('an expiry date', () => {
  const at = (iso: string) => Date.parse(iso)

  it.each([
    [1, 2039, '2026-11-21T00:00:00Z', 'valid'],
    [11, 2026, '2026-11-30T23:59:59Z', 'valid'],
    [11, 2026, '2026-12-01T11:59:59Z', 'valid'],
    [11, 2026, '2026-12-01T12:00:00Z', 'invalid'],
    [12, 2026, '2026-12-31T23:59:59Z', 'valid'],
    [12, 2026, '2027-01-01T12:00:00Z', 'invalid'],
    [10, 2026, '2026-11-21T00:00:00Z', 'invalid'],
    [1, 2046, '2026-11-21T00:00:00Z', 'valid'],
    [1, 2047, '2026-11-21T00:00:00Z', 'invalid'],
    [0, 2030, '2026-11-21T00:00:00Z', 'invalid'],
    [13, 2030, '2026-11-21T00:00:00Z', 'invalid'],
    [1.5, 2030, '2026-11-21T00:00:00Z', 'invalid'],
  ] as const)('%d/%d at %s is %s', (month, year, now, verdict) => {
    expect(expiryVerdict({ month, year }, at(now))).toBe(verdict)
  })
})

describe('what a number that begins so could be taken as', () => {
  it.each([
    ['4', ['visa'], true],
    ['401200', ['visa'], true],
    ['401200', ['mastercard'], false],
    ['6', ['discover', 'maestro'], true],
    ['630400', ['laser'], true],
    ['860012', ['visa', 'mastercard', 'maestro', 'unionpay'], false],
  ])('%s may be of %j: %s', (digits, names, isPossible) => {
    expect(possiblyTakenAs(digits).some((name) => names.includes(name))).toBe(isPossible)
  })
})

describe("a card's code", () => {
  const amex = schemeOf('3714')
  const visa = schemeOf('4')
  const maestro = schemeOf('6759')
  const unionpay = schemeOf('62')

  it.each([
    ['', null, 'incomplete'],
    ['12', null, 'incomplete'],
    ['123', null, 'valid'],
    ['1234', null, 'valid'],
    ['12345', null, 'invalid'],
    ['123', visa, 'valid'],
    ['1234', visa, 'invalid'],
    ['123', amex, 'incomplete'],
    ['1234', amex, 'valid'],
    ['12a', visa, 'invalid'],
    ['', visa, 'incomplete'],
    ['', maestro, 'valid'],
    ['', unionpay, 'valid'],
    ['12', maestro, 'incomplete'],
  ] as const)('%j on %o is %s', (code, scheme, verdict) => {
    expect(codeVerdict(code, scheme)).toBe(verdict)
  })
})

describe('the name on a card', () => {
  it.each([
    ['Grace Hopper', 'valid'],
    ['Jean-Luc O’Neill 3rd', 'valid'],
    ['山田太郎', 'valid'],
    ['', 'incomplete'],
    ['   ', 'incomplete'],
    ['5111 1111 1111 1118', 'invalid'],
    ['Grace 511111111111 Hopper', 'invalid'],
    ['x'.repeat(101), 'invalid'],
  ] as const)('%j is %s', (name, verdict) => {
    expect(holderNameVerdict(name)).toBe(verdict)
  })
})
