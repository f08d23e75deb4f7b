import { expect, test } from '@playwright/test'
import { LONG, someOf } from '../long-form.ts'
import { GOOD_CARD } from '../pages/card-form.ts'
import { findingsOf } from '../pages/findings.ts'
import { Shop } from '../pages/shop.ts'

for (const colorScheme of someOf(['light', 'dark'] as const, 2)) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme })

    test('axe finds nothing on the way from the shop to the order', async ({ page }) => {
      const shop = new Shop(page)
      await page.goto('/')
      expect(await findingsOf(page)).toEqual([])
      await shop.goToCheckout()
      expect(await findingsOf(page)).toEqual([])
      await shop.form.submit.click()
      await expect(shop.form.name).toBeFocused()
      expect(await findingsOf(page)).toEqual([])
      await shop.form.type({ ...GOOD_CARD, expiry: '0539' })
      expect(await findingsOf(page)).toEqual([])
      await shop.form.submit.click()
      await expect(page.getByRole('alert')).not.toBeEmpty()
      expect(await findingsOf(page)).toEqual([])
    })

    test('axe finds nothing in the back office', async ({ page }) => {
      const shop = new Shop(page)
      const row = await shop.row(await shop.order())
      expect(await findingsOf(page)).toEqual([])
      await row.getByRole('button', { name: 'Cancel' }).click()
      await expect(row.locator('.badge')).toHaveText('released')
      expect(await findingsOf(page)).toEqual([])
    })
  })
}

for (const [turn, [colorScheme, width]] of (
  [
    ['light', 320],
    ['dark', 1280],
  ] as const
).entries())
  test(`the shop's other pages are accessible and fit (${colorScheme}, ${width} px)`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    const paths = ['/playground', '/test-cards', '/test-payers', '/subscribe', '/no-such-page']
    for (const path of someOf(paths, 4, turn)) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect.soft(await findingsOf(page), path).toEqual([])
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect.soft(beyond, `${path} scrolls sideways`).toBeLessThanOrEqual(0)
    }
  })

test('a whole payment needs nothing but the keyboard', async ({ page }) => {
  const shop = new Shop(page)
  await shop.goToCheckout()
  await page.getByRole('link', { name: 'Back office' }).focus()
  await page.keyboard.press('Tab')
  await expect(shop.form.name).toBeFocused()
  for (const text of [GOOD_CARD.name, GOOD_CARD.number, GOOD_CARD.expiry, GOOD_CARD.code]) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await expect(shop.form.submit).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(shop.form.code).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
})

test('a wrong field has an error message that belongs to it, and gets the focus', async ({ page }) => {
  const shop = new Shop(page)
  await shop.goToCheckout()
  await shop.form.type({ ...GOOD_CARD, number: '5111111111111119' })
  await shop.form.submit.click()
  await expect(shop.form.number).toBeFocused()
  await expect(shop.form.number).toHaveAttribute('aria-invalid', 'true')
  await expect(shop.form.number).toHaveAccessibleDescription(/card number/i)
})

test('nothing is cut off or scrolls sideways at 320 pixels', { tag: LONG }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  const shop = new Shop(page)
  await shop.goToCheckout()
  for (const place of page.frames()) {
    const { wide, view } = await place.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      view: document.documentElement.clientWidth,
    }))
    expect(wide).toBeLessThanOrEqual(view)
  }
})
