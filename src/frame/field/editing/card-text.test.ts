import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCardText } from './card-text.ts'

const NOW = Date.parse('2026-11-21T00:00:00Z')
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
    expect(readCardText(text, NOW)).toEqual({ number, expiry, code })
  })

  const SIGNS: [name: string, sign: string][] = [
    ['a left-to-right mark', '\u200e'],
    ['a right-to-left mark', '\u200f'],
    ['a joiner', '\u200d'],
    ['a non-joiner', '\u200c'],
    ['a zero-width space', '\u200b'],
    ['a soft hyphen', '\u00ad'],
    ['a space that does not break', '\u00a0'],
    ['a thin space', '\u2009'],
    ['a narrow space', '\u202f'],
    ['a wide space', '\u3000'],
    ['a minus', '−'],
    ['a dash', '–'],
    ['a dash between spaces', ' - '],
    ['a long dash between spaces', ' — '],
    ['a dot in the middle', '·'],
    ['a bullet', '•'],
    ['a bullet between spaces', ' • '],
    ['a dot of a Japanese keyboard', '・'],
    ['a comma', ','],
    ['a comma and a space', ', '],
    ['a slash', '/'],
    ['a slash between spaces', ' / '],
    ['a bar', '|'],
    ['a bar between spaces', ' | '],
    ['a tab', '\t'],
    ['a line', '\n'],
    ['a line of Windows', '\r\n'],
    ['a semicolon', ';'],
    ['a star', '*'],
    ['a low line', '_'],
  ]

  it.each(SIGNS)('is found with %s in its gaps and behind it', (_, sign) => {
    const number = ['4012', '0000', '3333', '0026'].join(sign)
    const whole = { number: VISA, expiry: '12 / 39', code: '100' }
    expect(readCardText(`${number} 12/39 100`, NOW)).toEqual(whole)
    expect(readCardText([VISA, '12/39', '100'].join(sign), NOW)).toEqual(whole)
    expect(readCardText([number, '12', '2039', '100'].join(sign), NOW)).toEqual(whole)
    expect(readCardText(number, NOW)).toEqual({ number: VISA, expiry: null, code: null })
  })

  it.each([
    ['4012000033330026|12|39|100', '12 / 39', '100'],
    ['4012000033330026,12,2039,100', '12 / 39', '100'],
    ['4012000033330026:12:39:100', '12 / 39', '100'],
    ['4012000033330026 valid from 01/25 until 12/39 100', '12 / 39', '100'],
    ['valid from 01/25 until 12/39 card 4012 0000 3333 0026 code 100', '12 / 39', '100'],
    ['VALID FROM 01/27 EXPIRES END 12/39\n4012 0000 3333 0026', '12 / 39', null],
    ['Sort 20-00-00 Account 12345678 Card 4012 0000 3333 0026 Expires 12/39 100', '12 / 39', '100'],
    ['Sort code 12-34-56, account 12345678, card 4012000033330026, 06/29, 100', '06 / 29', '100'],
    ['4012 0000 3333 0026 31/12/2039 100', '12 / 39', '100'],
    ['4012 0000 3333 0026 12/31/2039 100', '12 / 39', '100'],
    ['4012 0000 3333 0026 2039-12-31 100', '12 / 39', '100'],
    ['4012 0000 3333 0026 31.12.39 100', '12 / 39', '100'],
    ['4012 0000 3333 0026 2039年12月 100', '12 / 39', '100'],
    ['4012 0000 3333 0026 2039년 12월 100', '12 / 39', '100'],
    ['カード番号：4012-0000-3333-0026　有効期限：12月/39年　コード：100', '12 / 39', '100'],
    ['4012 0000 3333 0026 Dez 2039 100', '12 / 39', '100'],
    ['4012 0000 3333 0026 déc. 2039 100', '12 / 39', '100'],
    ['4012 0000 3333 0026 dic 2039 100', '12 / 39', '100'],
    ['4012 0000 3333 0026 diciembre de 2039 100', '12 / 39', '100'],
    ['4012 0000 3333 0026 31 December 2039 100', '12 / 39', '100'],
    ['4012 0000 3333 0026 December 31, 2039 100', '12 / 39', '100'],
    ['{"number":"4012000033330026","exp_month":12,"exp_year":2039,"cvc":"100"}', '12 / 39', '100'],
    ['{"number":"4012000033330026","exp_year":"2039","exp_month":"12","cvc":"100"}', '12 / 39', '100'],
    ['name,number,month,year,cvc\nGrace Hopper,4012000033330026,12,2039,100', '12 / 39', '100'],
    ['Apt 301, Grace Hopper, 4012 0000 3333 0026, 12/39, 100', '12 / 39', '100'],
    ['CVV 100, 4012 0000 3333 0026, 12/39, limit 500', '12 / 39', '100'],
    ['4012 0000 3333 0026 12/39 Prüfziffer: 100', '12 / 39', '100'],
    ['رقم البطاقة ٤٠١٢ ٠٠٠٠ ٣٣٣٣ ٠٠٢٦ ديسمبر ٢٠٣٩ ١٠٠', '12 / 39', '100'],
    ['कार्ड ४०१२ ०००० ३३३३ ००२६ दिसंबर २०३९ १००', '12 / 39', '100'],
    ['\u202b4012 0000 3333 0026\u202c \u202b12/39\u202c 100', '12 / 39', '100'],
    ['\u20664012 0000 3333 0026\u2069 \u206612 / 39\u2069', '12 / 39', null],
    ['4012 0000 3333 0026 12/25', '12 / 25', null],
    ['4012 0000 3333 0026 01/12/2039', null, null],
    ['4012 0000 3333 0026 12/99 06/29', '06 / 29', null],
  ])('%j has the expiry %j and the code %j', (text, expiry, code) => {
    expect(readCardText(text, NOW)).toEqual({ number: VISA, expiry, code })
  })

  it.each([
    ['4012 0000 3333 0027 01/39 100'],
    ['5111'],
    ['+49 170 1234567'],
    ['01/39'],
    ['40120000333300264'],
    [''],
  ])('%j has none', (text) => {
    expect(readCardText(text, NOW)).toBeNull()
  })

  it('in a whole table of numbers is looked for without delay', () => {
    expect(readCardText('12.50\t13.20\t14.10\n'.repeat(5000), NOW)).toBeNull()
  })

  it('invents no digit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9 /.-]{0,40}$/), (text) => {
        const card = readCardText(text, NOW)
        if (card !== null) expect(text.replace(/\D/g, '')).toContain(card.number)
      }),
    )
  })
})
