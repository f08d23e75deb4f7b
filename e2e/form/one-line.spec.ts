import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { LONG, someOf } from '../long-form.ts'
import { test } from '../pages/card-page.ts'

async function edgesOf(input: Locator) {
  const box = await input.boundingBox()
  if (box === null) throw new Error('the input is not shown')
  return { left: box.x, right: box.x + box.width, top: box.y, bottom: box.y + box.height }
}

const VIEWS = [
  ['en', 320],
  ['en', 700],
  ['ar', 320],
  ['ar', 700],
] as const

for (const [language, width] of someOf(VIEWS, 3))
  test(`inputs in one box share one border, however wide, ${language}, ${width} px`, async ({ card }) => {
    await card.page.setViewportSize({ width, height: 700 })
    const border = "setElementStyle('input', { border: '4px solid green' })"
    await card.open({ script: `widget.setLayout('line').setLanguage('${language}').${border}` })
    await expect(card.form.frame.locator('#expiry')).toHaveCSS('border-top-width', '4px')
    const [number, expiry, code] = await Promise.all(
      ['card_number', 'expiry', 'card_ccv'].map((id) => edgesOf(card.form.frame.locator(`#${id}`))),
    )
    if (!number || !expiry || !code) throw new Error('an input is missing')
    const [first, second] = language === 'ar' ? [code, expiry] : [expiry, code]
    expect(first.right - second.left).toBeCloseTo(4, 1)
    if (width === 320) {
      expect([number.bottom - expiry.top, number.bottom - code.top]).toEqual([4, 4])
      expect([first.left, second.right]).toEqual([number.left, number.right])
    } else {
      const shared = language === 'ar' ? expiry.right - number.left : number.right - expiry.left
      expect(shared).toBeCloseTo(4, 1)
      expect([expiry.top, code.top]).toEqual([number.top, number.top])
    }
  })

test(
  'a fault of one line takes the place of the hint, and nothing moves',
  { tag: LONG },
  async ({ card }) => {
    await card.page.setViewportSize({ width: 700, height: 700 })
    await card.open({ script: "widget.setLayout('line')" })
    const before = await edgesOf(card.form.submit)
    await card.form.number.fill('4242424242424243')
    await card.form.expiry.focus()
    await expect(card.form.number).toHaveAttribute('aria-invalid', 'true')
    await expect(card.form.frame.locator('#card_ccv-note')).toBeHidden()
    expect(await edgesOf(card.form.submit)).toEqual(before)
    await card.form.number.fill('4242424242424242')
    await expect(card.form.frame.locator('#card_ccv-note')).toBeVisible()
  },
)
