import { expect, it } from 'vitest'
import { csvLine } from './csv.ts'

it.each([
  ['plain', 'plain'],
  ['', ''],
  ['two words', '"two words"'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['a-b=c', 'a-b=c'],
  ['=1+1', "'=1+1"],
  ['+61 400', '"\'+61 400"'],
  ['-2', "'-2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', '"\t\'=1"'],
  ['\r=1', '"\r\'=1"'],
  [' =1', '" \'=1"'],
  ['＝1', "'＝1"],
  ["=cmd|' /C calc'!A0", "\"'=cmd|' /C calc'!A0\""],
  ['harmless;=1+1', '"harmless;\'=1+1"'],
  ['harmless,"=1+1"', '"harmless,""\'=1+1"""'],
])('%j → %s', (text, cell) => {
  expect(csvLine([text])).toBe(`${cell}\r\n`)
})

it('cells are parted by commas', () => {
  expect(csvLine(['a', 'b c', '3'])).toBe('a,"b c",3\r\n')
})
