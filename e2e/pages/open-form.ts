import { test as base } from '@playwright/test'
import { PAGE_URL } from '../world/addresses.ts'
import { demoKeys, serveMerchantPage, widgetPage, widgetScript } from '../world/merchant-page.ts'
import { CardForm } from './card-form.ts'
import { takesKeys } from './takes-keys.ts'

/** Playwright's `test` with a merchant's page that shows a card form, ready to be typed into. */
export const test = base.extend<{ form: CardForm }>({
  form: async ({ page }, use) => {
    const end = await serveMerchantPage({
      files: { '/': widgetPage, '/page.js': widgetScript(demoKeys().public_key) },
    })
    await page.goto(PAGE_URL)
    const form = new CardForm(page)
    await takesKeys(form.number)
    await use(form)
    await end()
  },
})
