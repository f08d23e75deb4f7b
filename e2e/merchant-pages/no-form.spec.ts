import { expect, test } from '@playwright/test'
import { PAGE_URL, SERVICE_URL } from '../world/addresses.ts'
import { demoKeys, serveMerchantPage, widgetPage } from '../world/merchant-page.ts'
import { addMerchant } from '../world/merchants.ts'

let end: (() => Promise<void>) | undefined
test.afterEach(async () => {
  await end?.()
  end = undefined
})

const WITHOUT_LISTENERS = (key: string) =>
  `new svc.HtmlWidget('#card', '${key}').load().catch((error) => (window.rejected = error.code))`

test('one line in the console says at once why there is no form, and no shopper sees JSON', async ({
  page,
}) => {
  const lines: string[] = []
  const asked: string[] = []
  page.on('console', (message) => {
    if (message.text().startsWith('[svc]')) lines.push(message.text())
  })
  page.on('request', (request) => asked.push(request.url()))
  const open = async (key: string) => {
    await end?.()
    end = await serveMerchantPage({ files: { '/': widgetPage, '/page.js': WITHOUT_LISTENERS(key) } })
    lines.length = 0
    await page.goto(PAGE_URL)
    await expect.poll(() => lines, { timeout: 4000 }).toHaveLength(1)
  }

  const { publicKey } = await addMerchant('Elsewhere', 'https://shop.example')
  await open(publicKey)
  expect(lines[0]).toContain(`${new URL(PAGE_URL).origin} is not among the merchant's origins`)

  await open('pk_sandbox_wrong')
  expect(lines[0]).toContain('does not know this public key')

  await open('sk_sandbox_secret')
  expect(lines[0]).toContain('That is a secret key. Remove it from the page, replace it')
  expect(asked.filter((url) => url.includes('sk_sandbox_secret'))).toEqual([])

  await page.route('**/frame?*', async (route) => {
    await route.fulfill({ response: await route.fetch({ url: `${SERVICE_URL}/sdk/v9.9.9/frame` }) })
  })
  await open(demoKeys().public_key)
  expect(lines[0]).toContain('has no SDK release v9.9.9')
  await expect(
    page.frameLocator('#card iframe').getByText('Card payments aren’t available here at the moment.'),
  ).toBeVisible()
})
