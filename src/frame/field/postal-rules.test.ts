import { describe, expect, it } from 'vitest'
import { canBeState, isPostcode, POSTAL_RULES, stateExample } from './postal-rules.ts'

/** Right ones, each in the ways that people write them, and wrong ones. */
const POSTCODES: Readonly<Record<string, [right: string[], wrong: string[]]>> = {
  AU: [
    ['2000', '0800', ' 2000 ', '２０００', '٢٠٠٠'],
    ['200', '20000', '2OOO', 'SW1A 1AA'],
  ],
  NZ: [
    ['6011', '0110'],
    ['601', '60110'],
  ],
  GB: [
    ['SW1A 1AA', 'sw1a1aa', 'M1 1AE', 'EC1A 1BB', 'B33 8TH', 'CR2 6XH', 'GIR 0AA', 'BF1 3AA'],
    ['SW1A', '1AA SW1A', '10115', 'SW1A 1A', 'SW1A 11A'],
  ],
  US: [
    ['10001', '10001-1234', '100011234'],
    ['1000', '100012', '10001-12'],
  ],
  CA: [
    ['K1A 0B1', 'k1a0b1', 'H0H-0H0'],
    ['K1A', 'D1A 0B1', 'K1A 0BI', '10001'],
  ],
  AT: [['1010', 'A-1010', 'AT-1010'], ['10100']],
  BE: [['1000', 'B-1000'], ['100']],
  BG: [['1000'], ['10000']],
  HR: [['10000', 'HR-10000'], ['1000']],
  CY: [['1010'], ['10100']],
  CZ: [['110 00', '11000', 'CZ-110 00'], ['1100']],
  DK: [['1050', 'DK-1050'], ['10500']],
  EE: [['10111'], ['1011']],
  FI: [['00100', 'FI-00100', 'FIN-00100'], ['100']],
  FR: [['75001', 'F-75001', '20000'], ['7500']],
  DE: [
    ['10115', 'D-10115', '01067'],
    ['1011', '101155', '1O115'],
  ],
  GR: [['105 57', '10557', 'GR-105 57'], ['1055']],
  HU: [['1051', 'H-1051'], ['10510']],
  IE: [
    ['D02 X285', 'd02x285', 'D6W XY00', 'A65 F4E2'],
    ['D02', 'DO2 X285', '10115'],
  ],
  IT: [['00118', 'I-00118'], ['0118']],
  LV: [['LV-1010', '1010'], ['10100']],
  LT: [['LT-01100', '01100'], ['0110']],
  LU: [['L-1009', '1009'], ['10090']],
  MT: [
    ['VLT 1117', 'vlt1117'],
    ['1117', 'VLT 111'],
  ],
  NL: [
    ['1012 AB', '1012ab', 'NL-1012 AB'],
    ['1012', 'AB 1012'],
  ],
  PL: [['00-950', '00950', 'PL-00-950'], ['0095']],
  PT: [['1000-205', '1000205', '1000'], ['1000-20']],
  RO: [['010011', 'RO-010011'], ['01001']],
  SK: [['811 01', '81101'], ['8110']],
  SI: [['1000', 'SI-1000'], ['10000']],
  ES: [['28001', 'E-28001'], ['2800']],
  SE: [['111 22', '11122', 'SE-111 22'], ['1112']],
}

it('there are rules for Australia, New Zealand, the UK, the US, Canada and the EU’s 27', () => {
  expect(Object.keys(POSTAL_RULES).sort()).toEqual(Object.keys(POSTCODES).sort())
  expect(Object.keys(POSTAL_RULES)).toHaveLength(32)
})

describe.each(Object.entries(POSTAL_RULES))('postcodes of %s', (country, { example }) => {
  const [right, wrong] = POSTCODES[country] ?? [[], []]

  it('are taken as people write them, the example first', () => {
    for (const text of [example, ...right]) expect(isPostcode(text, country), text).toBe(true)
  })

  it('of another form are not', () => {
    for (const text of [...wrong, 'x', '12', '1234567890'])
      expect(isPostcode(text, country), text).toBe(false)
  })
})

it('any text is a postcode of a country without a rule', () => {
  for (const text of ['1', '100-0001', 'x'])
    expect([isPostcode(text, 'JP'), isPostcode(text, '')]).toEqual([true, true])
})

/** As their posts list them. */
const STATE_CODES = {
  AU: 'NSW VIC QLD SA WA TAS NT ACT',
  CA: 'AB BC MB NB NL NS NT NU ON PE QC SK YT',
  US: 'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI AA AE AP',
}

describe.each(Object.entries(STATE_CODES))('states of %s', (country, list) => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
  const codes = letters.flatMap((one) => [
    one,
    ...letters.flatMap((two) => [one + two, ...letters.map((three) => one + two + three)]),
  ])

  it('are the codes that its post lists, and no other', () => {
    expect(codes.filter((code) => canBeState(code, country)).toSorted()).toEqual(list.split(' ').toSorted())
    expect(list.split(' ')).toContain(stateExample(country))
  })

  it('are taken in any way of writing, and by any name', () => {
    const example = stateExample(country) ?? ''
    for (const text of [
      example.toLowerCase(),
      example.split('').join('.'),
      ` ${example} `,
      'Kalifornien',
      '加州',
      '3rd',
    ])
      expect(canBeState(text, country), text).toBe(true)
  })
})

it('any code is a state of another country', () => {
  expect([canBeState('XX', 'FR'), canBeState('XX', '')]).toEqual([true, true])
})
