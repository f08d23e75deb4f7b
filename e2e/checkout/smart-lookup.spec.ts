import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { LONG, someOf } from '../long-form.ts'
import { CardForm, GOOD_CARD } from '../pages/card-form.ts'
import { findingsOf } from '../pages/findings.ts'
import { SERVICE_URL } from '../world/addresses.ts'

/** From the shop's first page to a checkout that can be paid. */
async function openSmartCheckout(page: Page): Promise<CardForm> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Pay in one step' }).click()
  const form = new CardForm(page)
  await expect(form.submit).toHaveText('Pay A$129.00')
  return form
}

for (const colorScheme of someOf(['light', 'dark'] as const, 2)) {
  test.describe(() => {
    test.use({ colorScheme })

    test(`the page loads the release that its server was told, and pays (${colorScheme})`, async ({
      page,
    }) => {
      const faults: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text())
      })
      const form = await openSmartCheckout(page)
      const script = page.locator(`script[src^="${SERVICE_URL}"]`)
      await expect(script).toHaveAttribute('src', /\/sdk\/v\d+\.\d+\.\d+\/widget\.umd\.min\.js$/)
      await expect(script).toHaveAttribute('integrity', /^sha384-/)
      await expect(script).toHaveAttribute('crossorigin', 'anonymous')
      expect(await findingsOf(page)).toEqual([])
      await form.type(GOOD_CARD)
      await form.submit.click()
      await expect(page.getByRole('heading', { name: /Thank you|ready/ })).toBeVisible()
      await expect(page.locator('#order-total')).toHaveText('A$129.00')
      await expect(page.locator('#card-used')).toContainText('1118')
      expect(faults).toEqual([])
    })
  })
}

test('a release that isn’t the one whose hash was told is refused, and the page says so', async ({
  page,
}) => {
  await page.route(/widget\.umd\.min\.js/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: `${await response.text()};globalThis.stolen = true` })
  })
  await page.goto('/')
  await page.getByRole('button', { name: 'Pay in one step' }).click()
  await expect(page.getByRole('alert')).toContainText('Nothing was charged')
  await expect(page.getByRole('link', { name: 'Start again' })).toBeVisible()
  expect(await page.evaluate(() => 'stolen' in globalThis)).toBe(false)
  expect(await page.evaluate(() => 'svc' in globalThis)).toBe(false)
  expect(await findingsOf(page)).toEqual([])
})

test('reloading the page, even during a payment, never makes a second order', async ({ page }) => {
  const form = await openSmartCheckout(page)
  const address = page.url()
  await page.reload()
  await expect(form.submit).toHaveText('Pay A$129.00')
  expect(page.url()).toBe(address)
  // The page is left before it can tell the shop of the payment.
  await page.route('**/api/checkouts/paid', (route) => route.abort())
  await form.type(GOOD_CARD)
  await form.submit.click()
  await expect(page.getByRole('alert')).toContainText('The shop cannot be reached')
  await page.getByRole('link', { name: 'Start again' }).click()
  await expect(page.locator('#card-used')).toContainText('1118')
  const order = page.url()
  await page.goto(address)
  await expect(page).toHaveURL(order)
})

test('the shopper is told when the form can’t be shown', { tag: LONG }, async ({ page }) => {
  await page.route(/\/checkout\?intent_id/, (route) => route.abort())
  await page.goto('/')
  await page.getByRole('button', { name: 'Pay in one step' }).click()
  await expect(page.getByRole('alert')).toContainText('could not be shown', { timeout: 20_000 })
  await page.unroute(/\/checkout\?intent_id/)
  await page.getByRole('link', { name: 'Start again' }).click()
  await expect(new CardForm(page).submit).toHaveText('Pay A$129.00')
})

test('a page that only says it was paid gets no order', async ({ page }) => {
  await openSmartCheckout(page)
  const answer = await page.evaluate(async () => {
    const ids = { intent_id: '0'.repeat(24), charge_id: '0'.repeat(24) }
    const headers = { 'content-type': 'application/json' }
    const response = await fetch('/api/checkouts/paid', {
      method: 'POST',
      headers,
      body: JSON.stringify(ids),
    })
    const said: unknown = await response.json()
    return said
  })
  expect(answer).toMatchObject({ placed: false })
})
