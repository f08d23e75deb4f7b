import { afterAll, expect, it, vi } from 'vitest'
import { boundedFontSize, isCssValue } from './apply-appearance.ts'

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
  ['attr(data-x)', false],
  ['ATTR(data-x type(<color>))', false],
  ['calc(1px + attr(data-x px))', false],
  ['-webkit-cross-fade(x, y)', false],
  ['element(#x)', false],
  ['paint(x)', false],
  ['src("x")', false],
  ['if(media(print): red)', false],
  ['--mine(1px)', false],
  ['expression(alert(1))', false],
  ['local(x)', false],
  ['red/**/', false],
  ['calc(1px - (2px + 3px))', true],
  ['calc((1px + 2px) * 2)', true],
  ['clamp(8px, calc(1em + 2vw), 20px)', true],
  ['color-mix(in oklab, rgb(1 2 3) 20%, hsl(9 9% 9%))', true],
  ['light-dark(#000, #fff)', true],
  ['oklch(from red l c h)', true],
  ['0.2s cubic-bezier(0, 0, 1, 1)', true],
  ['1px 2px 3px rgba(0, 0, 0, 0.2)', true],
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
