import { expect } from '@playwright/test'
import { test } from '../pages/card-page.ts'

for (const [width, opacity] of [
  [250, '0'],
  [320, '1'],
] as const)
  test(`digits are not covered by the icon beside them, ${width} px wide`, async ({ card }) => {
    await card.page.setViewportSize({ width, height: 700 })
    await card.open({ style: 'body { margin: 0 }' })
    await card.form.number.fill('4242424242424242')
    await expect(card.form.frame.locator('.box .scheme')).toHaveCSS('opacity', opacity)
    // An input can be scrolled where its text is too wide for it.
    const hidden = await card.form.number.evaluate((input) => input.scrollWidth - input.clientWidth)
    expect(hidden).toBeLessThanOrEqual(0)
  })

test('inputs are never so small that iOS enlarges the page', async ({ card }) => {
  await card.open({ script: "widget.setTheme('compact')" })
  await expect(card.form.number).toHaveCSS('font-size', '16px')
  await expect(card.form.frame.locator('label').first()).toHaveCSS('font-size', '12.25px')
  await card.act("widget.setStyle('font_size', '20px')")
  await expect(card.form.number).toHaveCSS('font-size', '20px')
})

test('the picture of where the code is on the card fits the scheme', async ({ card }) => {
  await card.open()
  const spot = card.form.frame.locator('.spot')
  const back = await spot.getAttribute('y')
  await card.form.number.fill('378282246310005')
  await expect(spot).not.toHaveAttribute('y', back ?? '')
})
