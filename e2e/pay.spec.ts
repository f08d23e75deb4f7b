import { expect } from '@playwright/test'
import * as v from 'valibot'
import { isLong } from './long-form.ts'
import { GOOD_CARD } from './pages/card-form.ts'
import { Shop } from './pages/shop.ts'
import { SERVICE_URL } from './world/addresses.ts'
import { SDK_RELEASES, test } from './world/pinned-release.ts'

const List = v.object({ latest: v.string() })

let shop: Shop
test.beforeEach(({ page }) => {
  shop = new Shop(page)
})

/** Each kept SDK release has to load and pay with the current service. All other tests use the current SDK. */
for (const sdkRelease of SDK_RELEASES.slice(0, isLong ? undefined : 2)) {
  test.describe(`with the SDK ${sdkRelease}`, () => {
    test.use({ sdkRelease })

    test('the shop runs on this release, with the frame that it was released with', async ({
      page,
      request,
      sdkRelease,
    }) => {
      const list: unknown = await (await request.get(`${SERVICE_URL}/sdk/releases.json`)).json()
      const version = sdkRelease === 'latest' ? v.parse(List, list).latest : sdkRelease.slice(1)
      await shop.goToCheckout()
      expect(await page.evaluate('svc.VERSION')).toBe(version)
      expect(page.frames().map((frame) => new URL(frame.url()).pathname)).toContain(`/sdk/v${version}/frame`)
    })

    test('a shopper pays; the back office captures', async ({ page }) => {
      const reference = await shop.order()
      await expect(page.locator('#status')).toHaveText('held on your card')
      const row = await shop.row(reference)
      await expect(row).toContainText('held')
      await expect(row).toContainText('1118')
      await row.getByRole('button', { name: 'Capture' }).click()
      await expect(row.locator('.badge')).toHaveText('paid')
      await page.reload()
      await expect(row.locator('.badge')).toHaveText('paid')
      await expect(row.getByRole('button', { name: 'Capture' })).toHaveCount(0)
    })

    if (sdkRelease !== 'latest') return

    test('a decline is explained, and the form keeps what was typed for another try', async ({ page }) => {
      await shop.pay({ expiry: '0539' })
      await expect(page.getByRole('alert')).toContainText(/declined|another card/i)
      await expect(shop.form.number).toHaveValue('5111 1111 1111 1118')
      await shop.form.expiry.fill('')
      await shop.form.expiry.pressSequentially('0139')
      await shop.form.submit.click()
      await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
    })

    test('two quick presses of the button make one charge', async ({ page }) => {
      let tokens = 0
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/payment_sources/tokens')) tokens += 1
      })
      await shop.goToCheckout()
      await shop.form.type(GOOD_CARD)
      await shop.form.submit.dblclick()
      await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
      expect(tokens).toBe(1)
    })
  })
}
