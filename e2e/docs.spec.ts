import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { LONG, someOf } from './long-form.ts'
import { findingsOf } from './pages/findings.ts'
import { SERVICE_URL, SHOP_URL } from './world/addresses.ts'

/** Every page that the menu and the first page lead to. */
async function pagesOf(page: Page): Promise<string[]> {
  await page.goto(`${SERVICE_URL}/docs`)
  const links = await page.locator('a[href^="/docs"]').all()
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')))
  return [...new Set(addresses.map((address) => address?.split('#')[0] ?? ''))]
}

const VIEWS = [
  { colorScheme: 'light', width: 390, height: 800 },
  { colorScheme: 'dark', width: 1280, height: 900 },
] as const

for (const [turn, { colorScheme, width, height }] of VIEWS.entries()) {
  test(`every page of the documentation is accessible and fits (${colorScheme}, ${width} px)`, async ({
    page,
  }) => {
    test.setTimeout(300_000)
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    const paths = await pagesOf(page)
    expect(paths.length).toBeGreaterThan(25)
    for (const path of someOf(paths, 16, 8 * turn)) {
      await page.goto(SERVICE_URL + path)
      expect(await findingsOf(page), path).toEqual([])
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(tooWide, path).toBeLessThanOrEqual(0)
    }
  })
}

test(
  'on a phone the menu is folded, and two clicks lead from it to a field of a charge',
  { tag: LONG },
  async ({ page }) => {
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
  },
)

const RESULTS = '#search-results [role=option]'

/** Opens the search of a page, and types. */
async function searchFor(page: Page, query: string): Promise<void> {
  await page.goto(`${SERVICE_URL}/docs`)
  await page.keyboard.press('/')
  await expect(page.getByText('Type what you look for')).toBeVisible()
  await page.getByRole('combobox', { name: 'Search the documentation' }).fill(query)
}

test('the search works by keys alone: open, choose, go, close', async ({ page }) => {
  await page.goto(`${SERVICE_URL}/docs/guides/webhooks`)
  const field = page.getByRole('combobox', { name: 'Search the documentation' })
  // What a browser fills in by itself is told by a keydown without a key.
  const faults: Error[] = []
  page.on('pageerror', (fault) => faults.push(fault))
  await page.evaluate(() => document.body.dispatchEvent(new Event('keydown', { bubbles: true })))
  expect(faults).toEqual([])
  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
  await page.keyboard.press('/')
  await expect(field).toHaveValue('')
  await field.pressSequentially('refund')
  const options = page.locator(RESULTS)
  await expect(options.first()).toContainText('Give money back')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true')
  await expect(field).toHaveAttribute('aria-activedescendant', 'search-result-1')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${SERVICE_URL}/docs/reference/charges#refundCharge`)
  await expect(page.getByRole('heading', { name: 'Give money back' })).toBeInViewport()
})

const LED_TO = [
  ['POST /v1/charges/ch_7/capture', 'Take held funds', '/docs/reference/charges#captureCharge'],
  ['createCharge', 'Charge a card, or hold its funds', '/docs/reference/charges#createCharge'],
  [
    'total_refunded_amount',
    'statistics.total_refunded_amount',
    '/docs/reference/charges#object-Charge.statistics.total_refunded_amount',
  ],
  ['insufficient_scope', 'insufficient_scope', '/docs/errors#insufficient_scope'],
  ['charge.captured', 'charge.captured', '/docs/events#charge.captured'],
  ['Idémpotency', 'Idempotency', '/docs/guides/idempotency'],
  ['paginatoin', 'Pagination', '/docs/guides/pagination'],
] as const

test.describe('the search leads', () => {
  for (const [query, title, address] of someOf(LED_TO, 3)) {
    test(`from ${query} to ${address}`, async ({ page }) => {
      await searchFor(page, query)
      await page.locator(RESULTS).filter({ hasText: title }).first().click()
      await expect(page).toHaveURL(SERVICE_URL + address)
      const [, anchor] = address.split('#')
      if (anchor !== undefined) await expect(page.locator(`[id="${anchor}"]`)).toBeInViewport()
    })
  }
})

test(
  'a search that finds nothing, or can not be loaded, says what to do',
  { tag: LONG },
  async ({ page }) => {
    await searchFor(page, 'xylophone')
    await expect(page.getByText('Nothing is found for “xylophone”.')).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: 'Try one word' })).toBeAttached()
    await page.getByRole('dialog').getByRole('link', { name: 'everything that has a name' }).click()
    await expect(page.getByRole('heading', { name: 'Everything that has a name' })).toBeVisible()

    await page.route('**/docs/search.json', (route) => route.abort())
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page.getByRole('alert')).toContainText('Check your connection')
    await page.unroute('**/docs/search.json')
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('refund')
    await expect(page.locator(RESULTS).first()).toContainText('Give money back')
  },
)

for (const colorScheme of someOf(['light', 'dark'] as const, 2)) {
  test(`axe finds nothing in the search: ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await searchFor(page, 'charge')
    await expect(page.locator(RESULTS).first()).toBeVisible()
    expect(await findingsOf(page)).toEqual([])
    await page.getByRole('combobox').fill('xylophone')
    await expect(page.getByText('Nothing is found')).toBeVisible()
    expect(await findingsOf(page)).toEqual([])
  })
}

test('on a phone the search fills the screen, and is closed by a button', { tag: LONG }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`${SERVICE_URL}/docs/reference/charges`)
  await page.getByRole('button', { name: 'Search' }).click()
  const dialog = page.getByRole('dialog')
  await page.getByRole('combobox').fill('insufficient_scope')
  await expect(page.locator(RESULTS).first()).toBeVisible()
  expect(await dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 320, height: 640 })
  expect(await dialog.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
})

test('each sample is copied by its button, which says so', { tag: LONG }, async ({ page }) => {
  await page.goto(`${SERVICE_URL}/docs/guides/first-payment`)
  const samples = page.locator('main pre')
  await expect(page.getByRole('button', { name: /^Copy/ })).toHaveCount(await samples.count())
  const text = await samples.first().innerText()
  // A page in an origin of its own is not given the clipboard.
  await page.getByRole('button', { name: /^Copy/ }).first().click()
  await expect(page.locator('.copy').first()).toHaveText('Copied')
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeAttached()
  await page.goto(SHOP_URL)
  await page.evaluate(() => document.body.replaceChildren(document.createElement('textarea')))
  await page.locator('textarea').focus()
  await page.keyboard.press('Control+v')
  expect((await page.locator('textarea').inputValue()).trimEnd()).toContain(text.trimEnd())
})

test('the menu shows the operations of a resource, and marks the one that is read', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${SERVICE_URL}/docs/reference/charges`)
  const menu = page.getByRole('navigation', { name: 'All pages', exact: true })
  await expect(menu.getByRole('link', { name: 'Charges', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  )
  const refund = menu.getByRole('link', { name: 'Give money back' })
  await expect(refund).not.toHaveAttribute('aria-current')
  await refund.click()
  await expect(refund).toHaveAttribute('aria-current', 'location')
  await expect(menu.locator('[aria-current=location]')).toHaveCount(1)
  await page.evaluate(() => scrollTo(0, 0))
  await expect(refund).not.toHaveAttribute('aria-current')
})

test(
  'on a phone the menu stays at hand, leads to an operation, and folds again',
  { tag: LONG },
  async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`${SERVICE_URL}/docs/reference/charges#refundCharge`)
    const menu = page.getByRole('navigation', { name: 'All pages, folded' })
    await page.getByText('Menu', { exact: true }).click()
    await menu.getByRole('link', { name: 'Take held funds' }).click()
    await expect(menu).toBeHidden()
    await expect(page.getByRole('heading', { name: 'Take held funds' })).toBeInViewport()
    await page.getByText('Menu', { exact: true }).click()
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
  },
)

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })
  test('pages are read, the menu opens, and everything is in one list', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`${SERVICE_URL}/docs/reference/charges`)
    await page.getByText('Menu', { exact: true }).click()
    await expect(page.getByRole('link', { name: 'Pagination' }).first()).toBeVisible()
    await expect(page.getByRole('button', { name: /^Copy/ })).toHaveCount(0)
    await page.getByRole('link', { name: 'Search' }).click()
    await page.getByRole('link', { name: 'Give money back' }).click()
    await expect(page.getByRole('heading', { name: 'Give money back' })).toBeInViewport()
  })
})
