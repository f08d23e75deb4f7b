import { afterAll, expect, it, vi } from 'vitest'
import { isCssValue } from './css-value.ts'

// A browser that takes everything: what is refused here is refused by us.
vi.stubGlobal('CSS', { supports: (_property: string, value: string) => value !== 'nonsense' })
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
