import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../contract/page/widget-appearance.ts'
import { parseExpiry, tidyExpiry } from './expiry-text.ts'

describe('an expiry date as people write it', () => {
  it.each([
    ['1/30', 1, 2030],
    ['0130', 1, 2030],
    ['01/30', 1, 2030],
    ['01 / 30', 1, 2030],
    ['01/2030', 1, 2030],
    ['012030', 1, 2030],
    ['530', 5, 2030],
    ['130', 1, 2030],
    ['1 39', 1, 2039],
    ['0 1 3 9', 1, 2039],
    ['12039', 1, 2039],
    ['exp 01/39', 1, 2039],
    ['0139.', 1, 2039],
    ['oh one thirty-nine', 1, 2039],
    ['230', 2, 2030],
    ['92031', 9, 2031],
    ['2030-01', 1, 2030],
    ['2030/1', 1, 2030],
    ['203001', 1, 2030],
    ['Jan 2030', 1, 2030],
    ['january 30', 1, 2030],
    ['DEC. 2031', 12, 2031],
    ['12.31', 12, 2031],
    ['12-31', 12, 2031],
    ['12 31', 12, 2031],
    ['０１／３０', 1, 2030],
    ['٠١/٣٠', 1, 2030],
    [' 01/30 ', 1, 2030],
    [',12,2039,', 12, 2039],
    ['|12|39|', 12, 2039],
    ['31/12/2039', 12, 2039],
    ['12/31/2039', 12, 2039],
    ['29.02.2040', 2, 2040],
    ['2039-12-31', 12, 2039],
    ['31122039', 12, 2039],
    ['12312039', 12, 2039],
    ['12 / 312039', 12, 2039],
    ['20391231', 12, 2039],
    ['1231/2039', 12, 2039],
    ['2039-12-01', 12, 2039],
    ['2039年12月', 12, 2039],
    ['2039年12月31日', 12, 2039],
    ['39年12月', 12, 2039],
    ['12月39年', 12, 2039],
    ['12月/2039年まで', 12, 2039],
    ['2039년 12월', 12, 2039],
    ['Dez 2039', 12, 2039],
    ['déc. 2039', 12, 2039],
    ['de\u0301c. 2039', 12, 2039],
    ['dic 2039', 12, 2039],
    ['dic-39', 12, 2039],
    ["Dec'39", 12, 2039],
    ['DEZEMBRO DE 2039', 12, 2039],
    ['31 diciembre 2039', 12, 2039],
    ['Dec 31, 2039', 12, 2039],
    ['2039 Dec', 12, 2039],
    ['août 2039', 8, 2039],
    ['févr. 39', 2, 2039],
    ['Mrz 2039', 3, 2039],
    ['März 2039', 3, 2039],
    ['Sept. 2039', 9, 2039],
    ['valid from 01/25 until 12/39', 12, 2039],
    ['\u200f12\u200e/\u200f39', 12, 2039],
    ['١٢/٢٠٣٩', 12, 2039],
    ['ديسمبر ٢٠٣٩', 12, 2039],
    ['दिसंबर २०३९', 12, 2039],
    ['December twenty thirty-nine', 12, 2039],
    ['December thirty-nine', 12, 2039],
    ['twelve thirty nine', 12, 2039],
    ['twelve twenty thirty nine', 12, 2039],
    ['twelve two thousand and thirty nine', 12, 2039],
    ['Dezember neununddreißig', 12, 2039],
    ['zwölf Schrägstrich neununddreißig', 12, 2039],
    ['décembre deux mille trente-neuf', 12, 2039],
    ['doce treinta y nueve', 12, 2039],
    ['dodici trentanove', 12, 2039],
    ['doze trinta e nove', 12, 2039],
    ['twaalf negenendertig', 12, 2039],
    ['二〇三九年十二月', 12, 2039],
    ['십이월 삼십구년', 12, 2039],
    ['13/30', 13, 2030],
    ['1330', 13, 2030],
    ['00/30', 0, 2030],
    ['01/1999', 1, 1999],
  ])('%j is month %i of %i', (text, month, year) => {
    expect(parseExpiry(text)).toEqual({ month, year })
  })

  it.each(LANGUAGES.filter((language) => !/^(ja|zh|ko)/.test(language)))(
    'is read with each name of a month in %s, whole and short',
    (language) => {
      for (const style of ['long', 'short'] as const) {
        const names = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' })
        for (let month = 1; month <= 12; month += 1) {
          const name = names.format(Date.UTC(2039, month - 1, 15))
          expect(parseExpiry(`${name} 2039`), name).toEqual({ month, year: 2039 })
        }
      }
    },
  )

  it.each([
    [''],
    ['1'],
    ['01'],
    ['01 / '],
    ['01 / 3'],
    ['01/203'],
    ['Foo 2030'],
    ['anf 2030'],
    ['01/15/2030'],
    ['01/12/2039'],
    ['01122039'],
    ['30122039'],
    ['31112039'],
    ['12311939'],
    ['01 / 301'],
    ['01301'],
    ['311239'],
    ['20391230'],
    ['20-00-00'],
    ['Mary 2039'],
    ['jui 2039'],
    ['12/39 100'],
  ])('%j is none, or not yet', (text) => {
    expect(parseExpiry(text)).toBeNull()
  })

  it.each([
    ['1/30', '01 / 30'],
    ['2030-01', '01 / 30'],
    ['Jan 2030', '01 / 30'],
    ['01 / 30', '01 / 30'],
    ['13/30', '13/30'],
    ['00', '00'],
    ['01/1999', '01/1999'],
    ['01/2130', '01/2130'],
    ['rubbish', 'rubbish'],
  ])('%j is shown as %j', (text, shown) => {
    expect(tidyExpiry(text)).toBe(shown)
  })
})
