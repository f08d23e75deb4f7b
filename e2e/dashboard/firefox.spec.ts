import { expect } from '@playwright/test'
import { complaintsOf } from './as-owner.ts'
import { OWN_PAGES, pagesOf } from './states/every-page.ts'
import { test } from './states/stocked.ts'

test('each page opens in this browser, and nothing scrolls sideways', async ({ dashboardOf, full }) => {
  test.setTimeout(180_000)
  const dashboard = await dashboardOf(full.owner)
  const { page } = dashboard
  const complaints = complaintsOf(page.context())
  await dashboard.open('/', 'Overview')
  for (const { name, path, title } of [...OWN_PAGES, ...pagesOf(full.stock)]) {
    await dashboard.follow(path)
    await dashboard.isAt(title)
    await expect(page.locator('.skeleton')).toHaveCount(0)
    await page.setViewportSize({ width: 320, height: 800 })
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect.soft(beyond, name).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1280, height: 900 })
  }
  expect(complaints).toEqual([])
})
