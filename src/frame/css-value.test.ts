import { afterAll, expect, it, vi } from 'vitest'
import { boundedFontSize, isCssValue } from './css-value.ts'

// A browser that takes everything: what is refused here is refused by us.
vi.stubGlobal('CSS', {
  supports: (_property: string, value: string) => !/nonsense|clamp\(8px, large/.test(value),
})
afterAll(() => vi.unstubAllGlobals())

it.each([
  ['#333', true],
  ['rgb(1 2 3 / 50%)', true],
  ['"Inter", sans-serif', true],
  ['0.2s ease-in-out', true],
  ['nonsense', false],
  ['red; background: blue', false],
  ['red} body{display:none', false],
  ['{', false],
  ['url(https://elsewhere.example/x)', false],
  ['URL("x")', false],
  ['u\\72l(x)', false],
  ['var(--x, blue)', false],
  ['env(safe-area-inset-top)', false],
  ['image-set("x" 1x)', false],
  ['@import "x"', false],
])('%s: %j', (value, taken) => {
  expect(isCssValue('color', value)).toBe(taken)
})

it.each([
  ['1600px', 'clamp(8px, 1600px, 48px)'],
  ['1.2em', 'clamp(8px, 1.2em, 48px)'],
  ['large', 'large'],
])('%s as a size of text is %s', (value, bounded) => {
  expect(boundedFontSize(value)).toBe(bounded)
})
