import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { findingsOf } from './pages/findings.ts'
import { SERVICE_URL } from './world/addresses.ts'

/** Every page that the menu and the first page lead to. */
async function pagesOf(page: Page): Promise<string[]> {
  await page.goto(`${SERVICE_URL}/docs`)
  const links = await page.locator('a[href^="/docs"]').all()
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')))
  return [...new Set(addresses.map((address) => address?.split('#')[0] ?? ''))]
}

/** `npm test` inspects each page in one of these views; `npm run looks` in all. */
const isLong = process.env['LOOKS'] === 'all'

const VIEWS = [
  { colorScheme: 'light', width: 390, height: 800 },
  { colorScheme: 'dark', width: 1280, height: 900 },
] as const

for (const [turn, { colorScheme, width, height }] of VIEWS.entries()) {
  test(`axe finds nothing in any page of the documentation, and none is too wide: ${colorScheme}, ${width} px`, async ({
    page,
    request,
  }) => {
    test.setTimeout(180_000)
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    const paths = await pagesOf(page)
    expect(paths.length).toBeGreaterThan(25)
    // Each page is loaded into an empty one, because its own sandbox would not let axe run.
    await page.goto('about:blank')
    const seen = paths.filter((_, index) => isLong || index % VIEWS.length === turn)
    for (const path of seen) {
      await page.setContent(await (await request.get(SERVICE_URL + path)).text())
      expect(await findingsOf(page), path).toEqual([])
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(tooWide, path).toBe(0)
    }
  })
}

test('on a phone the menu is folded, and two clicks lead from it to a field of a charge', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(SERVICE_URL)
  await expect(page).toHaveURL(`${SERVICE_URL}/docs`)
  const charges = page.getByRole('navigation').getByRole('link', { name: 'Charges', exact: true })
  await expect(charges).toBeHidden()
  await page.getByText('Menu', { exact: true }).click()
  await charges.click()
  await page.getByRole('link', { name: 'Charge', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'Charge: all fields' })).toBeInViewport()
  await expect(page.getByRole('cell', { name: 'statistics.total_refunded_amount' })).toBeVisible()
})

test('the search finds results while one types', async ({ page }) => {
  await page.goto(`${SERVICE_URL}/docs/find`)
  await page.getByRole('searchbox').fill('refund')
  await expect(page.getByRole('status')).toContainText(' of ')
  await expect(page.getByRole('link', { name: 'Idempotency' }).and(page.locator('.found a'))).toBeHidden()
  await page.locator('.found').getByRole('link', { name: 'Give money back' }).click()
  await expect(page.getByRole('heading', { name: 'Give money back' })).toBeInViewport()
})
