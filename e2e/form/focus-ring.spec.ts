import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { LONG, someOf } from '../long-form.ts'
import { test } from '../pages/card-page.ts'
import { visibleChange } from '../pages/visible-change.ts'
import { takesKeys } from '../pages/takes-keys.ts'

const style = `body { background: #fff; caret-color: transparent }
  @media (prefers-color-scheme: dark) { body { background: #17131a } }`
const withoutCaret = "widget.setElementStyle('input', { transition: 'none' })"

const LOOKS = {
  plain: '',
  soft: "widget.setTheme('soft')",
  outline: "widget.setTheme('outline')",
  compact: "widget.setTheme('compact')",
  'a button of their own': "widget.setStyle('button_color', '#a8481f')",
  'a button as light as the field': "widget.setStyle('button_color', '#ffe14d')",
  'a button as dark as the page': "widget.setStyle('button_color', '#101010')",
  'outline and a black button': "widget.setTheme('outline').setStyle('button_color', '#000')",
  'a background of their own': "widget.setStyles({ background_color: '#2b1b33', field_color: '#3a2745' })",
}

/** The share of a 2 px line around a field that has to change visibly. Less than all of it, as the ring is rounded at the corners. */
const MIN_SHARE = 0.9

async function shareChanged(empty: Page, field: Locator, change: () => Promise<void>): Promise<number> {
  const { width = 0, height = 0 } = (await field.boundingBox()) ?? {}
  const before = await field.screenshot({ caret: 'hide' })
  await change()
  const after = await field.screenshot({ caret: 'hide' })
  return (await visibleChange(empty, before, after)) / (2 * 2 * (width + height))
}

const lineOf = (field: Locator) =>
  field.evaluate((input) => {
    const { borderTopColor, borderTopWidth, outlineColor, outlineWidth } = getComputedStyle(input)
    return { borderTopColor, borderTopWidth, outlineColor, outlineWidth }
  })

for (const [turn, colorScheme] of someOf([...(['light', 'dark'] as const).entries()], 2)) {
  test.describe(() => {
    test.use({ colorScheme })

    test(`the focus is visible in ${colorScheme} in every look, on a field with an error too`, async ({
      card,
    }) => {
      test.slow()
      const { page, form } = card
      const { name: field, number } = form
      const empty = await page.context().newPage()
      await page.bringToFront()
      for (const [look, script] of someOf(Object.entries(LOOKS), 4, turn)) {
        await card.open({ style, script: `${withoutCaret}\n${script}` })
        await takesKeys(number)
        const plain = await shareChanged(empty, field, () => field.focus())
        expect.soft(plain, look).toBeGreaterThan(MIN_SHARE)

        await form.submit.click()
        await expect(number).toHaveAttribute('aria-invalid', 'true')
        const faulty = await shareChanged(empty, number, () => number.focus())
        expect.soft(faulty, `${look}, on a fault`).toBeGreaterThan(MIN_SHARE)
        await card.close()
      }
      await empty.close()
    })
  })
}

test(
  'the ring of a field with an error is one line, in the colour of errors',
  { tag: LONG },
  async ({ card }) => {
    await card.open({ style, script: `${withoutCaret}\nwidget.setStyle('error_color', 'rgb(160, 0, 0)')` })
    await card.form.submit.click()
    await expect(card.form.name).toBeFocused()
    expect(await lineOf(card.form.name)).toMatchObject({
      borderTopColor: 'rgb(160, 0, 0)',
      outlineColor: 'rgb(160, 0, 0)',
    })
  },
)

test('a merchant chooses the colours of the ring and the fields', { tag: LONG }, async ({ card }) => {
  const colours = "{ focus_color: 'rgb(120, 0, 120)', field_color: 'rgb(255, 240, 255)' }"
  await card.open({ style, script: `${withoutCaret}\nwidget.setTheme('soft').setStyles(${colours})` })
  await card.form.number.focus()
  await expect(card.form.number).toHaveCSS('outline-color', 'rgb(120, 0, 120)')
  await expect(card.form.number).toHaveCSS('background-color', 'rgb(255, 240, 255)')
  await expect(card.form.name).toHaveCSS('background-color', 'rgb(255, 240, 255)')
})

test.describe(() => {
  test.use({ contextOptions: { forcedColors: 'active' } })

  test(
    'in forced colours the lines of an error, of the focus and an ordinary one differ',
    { tag: LONG },
    async ({ card }) => {
      await card.open({ style, script: withoutCaret })
      const usual = await lineOf(card.form.number)
      await card.form.submit.click()
      await expect(card.form.number).toHaveAttribute('aria-invalid', 'true')
      const faulty = await lineOf(card.form.number)
      expect(parseFloat(faulty.borderTopWidth)).toBeGreaterThan(parseFloat(usual.borderTopWidth))
      await card.form.number.focus()
      const { outlineWidth } = await lineOf(card.form.number)
      expect(parseFloat(outlineWidth)).toBeGreaterThan(parseFloat(faulty.borderTopWidth))
    },
  )
})

test.describe(() => {
  test.use({ contextOptions: { contrast: 'more' } })

  test(
    'with the preference for more contrast, lines and texts are stronger',
    { tag: LONG },
    async ({ card }) => {
      await card.open({ style, script: withoutCaret })
      expect(await lineOf(card.form.number)).toMatchObject({
        borderTopWidth: '2px',
        borderTopColor: 'rgb(0, 0, 0)',
      })
      await expect(card.form.frame.locator('label').first()).toHaveCSS('font-weight', '700')
    },
  )
})
