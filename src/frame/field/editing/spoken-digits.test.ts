import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digitsOf } from '../../../card/digits.ts'
import { withSpokenDigits } from './spoken-digits.ts'

describe('numbers that are said aloud', () => {
  it.each([
    ['double zero', '00'],
    ['triple 0', '000'],
    ['treble four', '444'],
    ['double 1 double 2', '1122'],
    ['four O one two', '4012'],
    ['O one thirty nine', '0139'],
    ['nought one', '01'],
    ['naught nil zero oh', '0000'],
    ['4O12 OOOO 3333 OO26', '4012000033330026'],
    ['forty-twelve', '4012'],
    ['twenty thirty-nine', '2039'],
    ['two thousand thirty nine', '2039'],
    ['two thousand and thirty nine', '2039'],
    ['one hundred', '100'],
    ['one hundred and five', '105'],
    ['twelve slash thirty nine', '1239'],
    ['vier null eins zwei', '4012'],
    ['vier null eins zwo', '4012'],
    ['neununddreißig', '39'],
    ['zwölf neununddreißig', '1239'],
    ['zwölf Schrägstrich neununddreißig', '1239'],
    ['zweitausendneununddreißig', '2039'],
    ['einundzwanzig zweiunddreißig', '2132'],
    ['Doppel-Null', '00'],
    ['quatre zéro un deux', '4012'],
    ['quatre-vingt-dix-neuf', '99'],
    ['quatre-vingts', '80'],
    ['soixante-dix', '70'],
    ['soixante et onze', '71'],
    ['dix-sept', '17'],
    ['vingt et un', '21'],
    ['trente-neuf', '39'],
    ['deux mille trente-neuf', '2039'],
    ['double zéro', '00'],
    ['cuatro cero uno dos', '4012'],
    ['treinta y nueve', '39'],
    ['veintiuno', '21'],
    ['dieciséis', '16'],
    ['dos mil treinta y nueve', '2039'],
    ['doble cero', '00'],
    ['quattro zero uno due', '4012'],
    ['trentanove', '39'],
    ['ventotto', '28'],
    ['duemilatrentanove', '2039'],
    ['quatro zero um dois', '4012'],
    ['trinta e nove', '39'],
    ['meia meia sete', '667'],
    ['dois mil e trinta e nove', '2039'],
    ['vier nul een twee', '4012'],
    ['negenendertig', '39'],
    ['tweeduizend negenendertig', '2039'],
    ['dubbel nul', '00'],
    ['よん ゼロ いち に', '4012'],
    ['四〇一二', '4012'],
    ['三十九', '39'],
    ['十二', '12'],
    ['二〇三九', '2039'],
    ['四零幺二', '4012'],
    ['사공일이', '4012'],
    ['사 영 일 이', '4012'],
    ['삼십구', '39'],
    ['أربعة صفر واحد اثنان', '4012'],
    ['تسعة وثلاثون', '39'],
    ['चार शून्य एक दो', '4012'],
    ['पाँच एक एक', '511'],
    ['4012 null null', '401200'],
  ])('%j is %s', (text, digits) => {
    expect(digitsOf(withSpokenDigits(text))).toBe(digits)
  })

  it.each([
    ['payment due 12/39'],
    ['een kaart 4012'],
    ['once 4012'],
    ["O'Neill 4012"],
    ['三浦 太郎 4012'],
    ['이 카드는 4012'],
    ['4012 0000 3333 0026'],
    ['wonder'],
  ])('%j has no digits but its own', (text) => {
    expect(digitsOf(withSpokenDigits(text))).toBe(digitsOf(text))
  })

  it('loses and invents no digit of a number said in English, in any mix of words and digits', () => {
    const UNITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
    const said = fc.record({ digit: fc.nat({ max: 9 }), way: fc.nat({ max: 3 }) })
    fc.assert(
      fc.property(fc.array(said, { maxLength: 19 }), (all) => {
        const digits = all.map(({ digit, way }) => String(digit).repeat(way === 3 ? 2 : 1)).join('')
        const words = all.map(({ digit, way }) => {
          if (way === 0) return String(digit)
          if (way === 1) return UNITS[digit]
          return way === 2 ? `${UNITS[digit]},` : `double ${digit % 2 === 0 ? digit : UNITS[digit]}`
        })
        expect(digitsOf(withSpokenDigits(words.join(' ')))).toBe(digits)
      }),
    )
  })

  it('in a long text are looked for without delay', () => {
    const text = 'neununddreissigundeins zwei '.repeat(80).slice(0, 2000)
    const start = performance.now()
    withSpokenDigits(text)
    expect(performance.now() - start).toBeLessThan(500)
  })
})
