import { expect } from '@playwright/test'
import type { Page, TestInfo } from '@playwright/test'
import { LONG, isLong, someOf } from '../../long-form.ts'
import type { Dashboard } from '../../pages/dashboard.ts'
import { OWN_PAGES, pagesOf } from './every-page.ts'
import type { DashboardPage } from './every-page.ts'
import { inspectLooks } from './look.ts'
import { test } from './stocked.ts'

test.setTimeout(isLong ? 1_800_000 : 600_000)

/** Goes to one page after the other, in the short form to every second, and inspects each once it is fully loaded. */
async function inspectPages(
  dashboard: Dashboard,
  info: TestInfo,
  pages: readonly DashboardPage[],
  firstIndex = 0,
): Promise<void> {
  const unlike = pages.filter(({ isLikeOther = false }) => isLong || !isLikeOther)
  const seen = someOf(unlike, 4, firstIndex)
  await dashboard.open('/', 'Overview')
  for (const [index, { name, path, title }] of seen.entries()) {
    await dashboard.follow(path)
    await dashboard.isAt(title)
    await isLoaded(dashboard.page)
    await inspectLooks(dashboard.page, info, { name, index: firstIndex + index })
  }
}

/** Waits until nothing is being loaded: neither the page nor a chart or preview in it. */
async function isLoaded(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy=true], .skeleton')).toHaveCount(0)
  await expect(page.getByText(/is being loaded/)).toHaveCount(0)
  for (const preview of await page.locator('iframe').all()) {
    const form = preview.contentFrame().locator('iframe').contentFrame()
    await expect(form.getByRole('button', { name: /^Pay/ })).toBeVisible()
  }
}

test('each page of a merchant that has everything is accessible and fits its window', async ({
  dashboardOf,
  full,
}, info) => {
  await inspectPages(await dashboardOf(full.owner), info, [...OWN_PAGES, ...pagesOf(full.stock)])
})

test(
  'each page of a merchant that has nothing is accessible and fits its window',
  { tag: LONG },
  async ({ dashboardOf, newcomer }, info) => {
    await inspectPages(await dashboardOf(newcomer), info, OWN_PAGES, 1)
  },
)

test(
  'each page is accessible and fits its window for a viewer',
  { tag: LONG },
  async ({ dashboardOf, full }, info) => {
    const { configuration, customisation, held, dispute, checkout, active, webhook } = full.stock
    const changing = new Set([configuration, customisation, held, dispute, checkout, active, webhook])
    const lessForViewers = pagesOf(full.stock).filter(({ path }) =>
      changing.has(path.split('/').at(-1) ?? ''),
    )
    await inspectPages(await dashboardOf(full.viewer), info, [...OWN_PAGES, ...lessForViewers], 1)
  },
)

/** All requests of a page except that for the session, without which there is no page. */
const READS = /localhost:\d+\/(?:api\/(?!session$|live)|v1\/|agreements|payments)[^.]*$/

test('each page is accessible and fits its window while it is loading, and when that fails', async ({
  dashboardOf,
  full,
}, info) => {
  const { page } = await dashboardOf(full.owner)
  const { captured, dispute, customisation, checkout, active, payment, webhook } = full.stock
  const single = new Set([captured, dispute, customisation, checkout, active, payment, webhook])
  const pages = [
    // All lists look alike while they are loading.
    ...OWN_PAGES.slice(0, isLong ? OWN_PAGES.length : 2),
    ...pagesOf(full.stock).filter(({ path }) => single.has(path.split('/').at(-1) ?? '')),
  ]
  for (const [index, { name, path }] of someOf(pages, 4).entries()) {
    const held: (() => void)[] = []
    await page.route(READS, async (route) => {
      if (route.request().resourceType() === 'document') return route.continue()
      await new Promise<void>((resolve) => held.push(resolve))
      return route.abort()
    })
    await page.goto(path)
    await expect(page.locator('[aria-busy=true] .skeleton').first()).toBeVisible()
    await inspectLooks(page, info, { name: `${name}-loading`, index })
    held.forEach((goOn) => goOn())
    await expect(page.getByRole('main').getByRole('alert').first()).toBeVisible()
    await inspectLooks(page, info, { name: `${name}-failed`, index: index + 1 })
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
})
