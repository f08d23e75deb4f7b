import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCardText } from './card-text.ts'

const VISA = '4012000033330026'
const MASTERCARD = '5111111111111118'
const AMEX = '371449635398431'
const MAESTRO = '6759649826438453128'

describe('a card in a text', () => {
  it.each([
    [VISA, VISA, null, null],
    ['4012 0000 3333 0026 01/39 100', VISA, '01 / 39', '100'],
    ['4012-0000-3333-0026\t01/2039\t100', VISA, '01 / 39', '100'],
    ['4012000033330026 0139 100', VISA, '01 / 39', '100'],
    ['4012000033330026 100 01/39', VISA, '01 / 39', '100'],
    ['4012 0000 3333 0026 01 39 100', VISA, '01 / 39', '100'],
    ['4012000033330026 2039-01', VISA, '01 / 39', null],
    ['4012000033330026 Jan 2039 100', VISA, '01 / 39', '100'],
    ['Card: 4012 0000 3333 0026, exp: 01/39, CVV: 100', VISA, '01 / 39', '100'],
    ['Grace Hopper 5111 1111 1111 1118 exp 1/39', MASTERCARD, '01 / 39', null],
    ['3714 496353 98431 01/39 1000', AMEX, '01 / 39', '1000'],
    ['371449635398431 0139 1000', AMEX, '01 / 39', '1000'],
    ['6759 6498 2643 8453 128', MAESTRO, null, null],
    ['５１１１ １１１１ １１１１ １１１８ ０１／３９', MASTERCARD, '01 / 39', null],
    ['five one one one one one one one one one one one one one one eight', MASTERCARD, null, null],
    ['5111 1111 1111 1118 and 4012 0000 3333 0026', MASTERCARD, null, null],
  ])('%j is %s, %s, %s', (text, number, expiry, code) => {
    expect(readCardText(text)).toEqual({ number, expiry, code })
  })

  it.each([
    ['4012 0000 3333 0027 01/39 100'],
    ['5111'],
    ['+49 170 1234567'],
    ['01/39'],
    ['40120000333300264'],
    [''],
  ])('%j has none', (text) => {
    expect(readCardText(text)).toBeNull()
  })

  it('in a whole table of numbers is looked for without delay', () => {
    expect(readCardText('12.50\t13.20\t14.10\n'.repeat(5000))).toBeNull()
  })

  it('invents no digit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9 /.-]{0,40}$/), (text) => {
        const card = readCardText(text)
        if (card !== null) expect(text.replace(/\D/g, '')).toContain(card.number)
      }),
    )
  })
})
