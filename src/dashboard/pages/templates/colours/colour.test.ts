import { expect, it } from 'vitest'
import { contrastOf, hexOf, parseColour } from './colour.ts'

it.each([
  ['#fff', [255, 255, 255]],
  ['#1A2b3C', [26, 43, 60]],
  [' #000000 ', [0, 0, 0]],
  ['', null],
  ['#12', null],
])('reads %j', (text, colour) => {
  expect(parseColour(text, document)).toEqual(colour)
})

it('writes a colour as a browser’s colour field wants it', () => {
  expect(hexOf([0, 10, 255])).toBe('#000aff')
})

it.each([
  ['#000', '#fff', 21],
  ['#777', '#fff', 4.48],
  ['#fff', '#fff', 1],
])('knows the contrast of %s and %s by WCAG', (one, other, ratio) => {
  const [first, second] = [parseColour(one, document), parseColour(other, document)]
  expect(first && second && contrastOf(first, second)).toBeCloseTo(ratio, 2)
})
