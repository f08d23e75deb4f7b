import { expect, test } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { CardForm } from '../pages/card-form.ts'
import { PAGE_URL } from '../world/addresses.ts'
import { demoKeys, serveMerchantPage, widgetPage, widgetScript } from '../world/merchant-page.ts'

/** A page built like a dialog or drawer, whose parts share the height of the window. */
const COLUMN = '<style>html, body, #card { display: flex; flex-direction: column; height: 100% }</style>'

test('a form in a column that is too low for it is not cut off', { tag: LONG }, async ({ page }) => {
  await page.setViewportSize({ width: 500, height: 200 })
  const end = await serveMerchantPage({
    files: {
      '/': widgetPage.replace('</head>', `${COLUMN}</head>`),
      '/page.js': widgetScript(demoKeys().public_key),
    },
  })
  await page.goto(PAGE_URL)
  const form = new CardForm(page)
  await form.submit.click()
  await expect(form.number).toHaveAttribute('aria-invalid', 'true')
  const hidden = () => form.number.evaluate(() => document.documentElement.scrollHeight - innerHeight)
  await expect.poll(hidden).toBe(0)
  await end()
})
