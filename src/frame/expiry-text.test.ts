import { describe, expect, it } from 'vitest'
import { parseExpiry, tidyExpiry } from './expiry-text.ts'

describe('an expiry date as people write it', () => {
  it.each([
    ['1/30', 1, 2030],
    ['0130', 1, 2030],
    ['01/30', 1, 2030],
    ['01 / 30', 1, 2030],
    ['01/2030', 1, 2030],
    ['012030', 1, 2030],
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
    ['13/30', 13, 2030],
    ['1330', 13, 2030],
    ['00/30', 0, 2030],
    ['01/1999', 1, 1999],
  ])('%j is month %i of %i', (text, month, year) => {
    expect(parseExpiry(text)).toEqual({ month, year })
  })

  it.each([
    [''],
    ['1'],
    ['01'],
    ['01 / '],
    ['01 / 3'],
    ['130'],
    ['01/203'],
    ['Foo 2030'],
    ['anf 2030'],
    ['01/15/2030'],
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
