import { expect } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { test } from '../pages/card-page.ts'
import { coloursOf, contrastOf } from '../pages/colours.ts'
import type { FormColours } from '../pages/colours.ts'

const style = `body { background: #fff; color: #1a1a1a }
  @media (prefers-color-scheme: dark) { body { background: #16181d; color: #f2f2f2 } }`
const PAGES = { light: 'rgb(255, 255, 255)', dark: 'rgb(22, 24, 29)' } as const

/** The minimum contrast of text, and of other things that have to be seen (WCAG 2.2, 1.4.3 and 1.4.11). */
const TEXT = 4.5
const SHAPE = 3

/** A pair of colours that must differ: foreground and background, each as layers, the lowest first. */
type Pair = readonly [
  min: number,
  front: readonly (keyof FormColours)[],
  back: readonly (keyof FormColours)[],
]

const PALETTES = [
  ['plain', 'light'],
  ['plain', 'dark'],
  ['soft', 'light'],
  ['soft', 'dark'],
  ['outline', 'light'],
  ['outline', 'dark'],
] as const

const field = ['page', 'field'] as const
const fieldInUse = ['page', 'fieldInUse'] as const

const PAIRS: Record<string, Pair> = {
  'label on the page': [TEXT, ['page', 'label'], ['page']],
  'typed text in its field': [TEXT, [...field, 'typed'], field],
  'typed text in the field in use': [TEXT, [...fieldInUse, 'typed'], fieldInUse],
  'typed text while it is sent': [TEXT, ['page', 'busyField', 'busyTyped'], ['page', 'busyField']],
  'placeholder in its field': [TEXT, [...field, 'placeholder'], field],
  'placeholder in the field in use': [TEXT, [...fieldInUse, 'placeholder'], fieldInUse],
  'hint on the page': [TEXT, ['page', 'hint'], ['page']],
  'fault on the page': [TEXT, ['page', 'fault'], ['page']],
  'text on the button': [TEXT, ['buttonText'], ['page', 'button']],
  'text on the button under the pointer': [TEXT, ['buttonText'], ['page', 'hoveredButton']],
  'text on the finished button': [TEXT, ['finishedText'], ['page', 'finishedButton']],
  'border of a field, against the page': [SHAPE, ['page', 'border'], ['page']],
  'border of a field, against the field': [SHAPE, [...field, 'border'], field],
  'border of a fault, against the page': [SHAPE, ['page', 'faultBorder'], ['page']],
  'ring, where the field was before': [SHAPE, ['page', 'ring'], field],
  'ring, against the field in use': [SHAPE, ['page', 'ring'], fieldInUse],
  'ring, against the page': [SHAPE, ['page', 'ring'], ['page']],
  'button on the page': [SHAPE, ['page', 'button'], ['page']],
  'picture of the code in its field': [SHAPE, [...field, 'picture'], field],
}

/**
 * Contrast ratios, cut to a tenth, in the order of `PALETTES`; `compact` has the colours of `plain`. Who changes a colour has to check
 * the new ratios and enter them here.
 */
const RATIOS: Record<string, readonly number[]> = {
  'label on the page': [15.6, 15.1, 15.6, 15.1, 15.6, 15.1],
  'typed text in its field': [15.6, 12.5, 13.8, 11, 15.6, 15.1],
  'typed text in the field in use': [15.6, 12.5, 15.6, 13.3, 15.6, 15.1],
  'typed text while it is sent': [6.8, 8, 6.4, 7.4, 6.8, 8.9],
  'placeholder in its field': [5.8, 6.9, 5.5, 6.2, 5.8, 7.8],
  'placeholder in the field in use': [5.8, 6.9, 5.8, 7.2, 5.8, 7.8],
  'hint on the page': [15.6, 15.1, 15.6, 15.1, 15.6, 15.1],
  'fault on the page': [6.5, 9.6, 6.5, 9.6, 6.5, 9.6],
  'text on the button': [6.7, 10.1, 7.9, 10.5, 15.6, 17.8],
  'text on the button under the pointer': [7.3, 8.7, 8.6, 9.1, 16.1, 15.2],
  'text on the finished button': [6.1, 12.5, 6.1, 12.5, 6.1, 12.5],
  'border of a field, against the page': [3.3, 4.4, 3.6, 4.8, 15.6, 15.1],
  'border of a field, against the field': [3.3, 3.6, 3.2, 3.5, 15.6, 15.1],
  'border of a fault, against the page': [6.5, 9.6, 6.5, 9.6, 6.5, 9.6],
  'ring, where the field was before': [6.7, 7.1, 6.9, 6.5, 3.6, 4.8],
  'ring, against the field in use': [6.7, 7.1, 7.9, 7.9, 3.6, 4.8],
  'ring, against the page': [6.7, 8.5, 7.9, 8.9, 3.6, 4.8],
  'button on the page': [6.7, 8.5, 7.9, 8.9, 15.6, 15.1],
  'picture of the code in its field': [6.8, 7.7, 6.3, 6.9, 6.8, 8.9],
}

test('every pair of colours that must differ does, in every palette', { tag: LONG }, async ({ card }) => {
  const { page, form } = card
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await card.open({ style })
  await form.submit.click()
  await expect(form.number).toHaveAttribute('aria-invalid', 'true')
  await form.code.fill('123')
  const ratios: Record<string, number[]> = {}
  const tooLow: string[] = []
  for (const [theme, colorScheme] of PALETTES) {
    await page.emulateMedia({ colorScheme })
    await card.act(`widget.setTheme('${theme}')`)
    await expect(form.frame.locator(`html[data-theme=${theme}]`)).toBeAttached()
    const colours = { page: PAGES[colorScheme], ...(await coloursOf(form)) }
    for (const [name, [min, front, back]] of Object.entries(PAIRS)) {
      const layers = (names: typeof front) => names.map((part) => colours[part])
      const ratio = await contrastOf(page, layers(front), layers(back))
      ;(ratios[name] ??= []).push(Math.floor(ratio * 10) / 10)
      if (ratio < min) tooLow.push(`${name}, ${theme}, ${colorScheme}: ${ratio.toFixed(2)} of ${String(min)}`)
    }
  }
  expect(tooLow).toEqual([])
  expect(ratios).toEqual(RATIOS)
})
