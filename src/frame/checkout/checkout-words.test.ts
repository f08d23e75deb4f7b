import { expect, it } from 'vitest'
import { amountText } from './checkout-words.ts'

it.each([
  ['en', 'A$10.00'],
  ['de', '10,00 AU$'],
  ['ar', '\u200f10.00 AU$\u200e'],
])('an amount in %s keeps its letters and its sign together', (language, text) => {
  expect(amountText(10, 'AUD', language).replaceAll('\u00a0', ' ')).toBe(text)
})
