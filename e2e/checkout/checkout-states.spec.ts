import { expect } from '@playwright/test'
import type { Page, TestInfo } from '@playwright/test'
import { someOf } from '../long-form.ts'
import { GOOD_CARD } from '../pages/card-form.ts'
import { test } from '../pages/checkout-page.ts'
import { inspectState } from '../pages/inspect-state.ts'

async function inspect(page: Page, info: TestInfo, state: string): Promise<void> {
  await inspectState(page, info, state)
  const wide = await page.frames()[1]?.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect.soft(wide, `${state} scrolls sideways`).toBeLessThanOrEqual(0)
}

const VIEWS = [
  ['light', 1200, 'en'],
  ['light', 320, 'ar'],
  ['dark', 320, 'en'],
] as const

for (const [colorScheme, width, language] of someOf(VIEWS, 3)) {
  test.describe(() => {
    test.slow()
    test.use({ colorScheme, viewport: { width, height: 900 } })

    test(`each state of the checkout is accessible and fits (${colorScheme}, ${width} px, ${language})`, async ({
      page,
      merchant,
    }, info) => {
      const { token } = await merchant.intend()
      await merchant.serve(token, `checkout.setLanguage('${language}')`)
      let minutes = 16
      await page.route('**/v1/checkouts/session?*', async (route) => {
        const response = await route.fetch()
        const end = new Date(Date.now() + minutes * 60_000).toISOString()
        const body = (await response.text()).replace(/"expires_at":"[^"]*"/, `"expires_at":"${end}"`)
        await route.fulfill({ response, body })
      })
      const { frame, submit } = await merchant.open(page)
      await expect(submit).toHaveText(/49/)
      await inspect(page, info, '1-form')

      const fill = async () => {
        await frame.locator('#card_name').fill(GOOD_CARD.name)
        await frame.locator('#card_number').fill(GOOD_CARD.number)
        await frame.locator('#card_ccv').fill(GOOD_CARD.code)
      }
      await fill()
      await frame.locator('#expiry').fill('0539')
      await submit.click()
      await expect(frame.locator('.alert')).not.toBeEmpty()
      await inspect(page, info, '2-declined')

      minutes = 2
      await page.frames()[1]?.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      await expect(frame.getByRole('timer')).toHaveText(/[12]:\d\d/)
      await inspect(page, info, '3-last-minutes')

      await page.route('**/session/payments?*', (route) =>
        route.fulfill({
          status: 503,
          json: {
            status: 503,
            error: { code: 'outcome_unknown', message: 'm' },
            resource: { type: 'checkout_payment', data: null },
          },
        }),
      )
      await frame.locator('#expiry').fill('0139')
      await frame.locator('#card_ccv').fill(GOOD_CARD.code)
      await submit.click()
      await expect(frame.locator('.result.checking')).toBeVisible()
      await inspect(page, info, '4-checking')

      await page.unroute('**/session/payments?*')
      await expect(frame.locator('.result.paid')).toBeVisible({ timeout: 15_000 })
      await inspect(page, info, '5-paid')
    })

    test(`a checkout that can't be shown is accessible and fits (${colorScheme}, ${width} px, ${language})`, async ({
      page,
      merchant,
    }, info) => {
      const { token } = await merchant.intend()
      await merchant.serve(token, `checkout.setLanguage('${language}').setReturnUrl('#basket')`)
      await page.route('**/v1/checkouts/session?*', (route) => route.abort())
      const { frame } = await merchant.open(page)
      await expect(frame.locator('.alert')).not.toBeEmpty()
      await inspect(page, info, '6-unreachable')
      // The page tries again by itself at any moment, so no button is pressed here.
      await page.unroute('**/v1/checkouts/session?*')
      await page.route('**/v1/checkouts/session?*', (route) =>
        route.fulfill({
          status: 401,
          json: {
            status: 401,
            error: { code: 'token_expired', message: 'm' },
            resource: { type: 'checkout_session', data: null },
          },
        }),
      )
      await expect(frame.locator('.result.perhaps_paid')).toBeVisible({ timeout: 60_000 })
      await inspect(page, info, '7-perhaps-paid')
      await frame.locator('button.back').click()
      await expect(page).toHaveURL(/#basket$/)
    })
  })
}
