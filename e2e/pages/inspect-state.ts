import { expect } from '@playwright/test'
import type { Page, TestInfo } from '@playwright/test'
import { isLong } from '../long-form.ts'
import { findingsOf } from './findings.ts'

/** Inspects a state in each width, in px, so that the state has to be reached only once. Restores the width afterwards. */
export async function inspectInWidths(
  page: Page,
  info: TestInfo,
  state: string,
  widths: readonly number[],
): Promise<void> {
  const viewport = page.viewportSize()
  if (viewport === null) throw new Error('the page has no size of its own')
  for (const width of widths) {
    await page.setViewportSize({ ...viewport, width })
    await inspectState(page, info, `${width}-${state}`)
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect.soft(beyond, `${state} scrolls sideways, ${width} px wide`).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize(viewport)
}

/** Checks a state by axe; `npm run e2e:all` keeps a picture of it, too. */
export async function inspectState(page: Page, info: TestInfo, state: string): Promise<void> {
  if (isLong) await keepPicture(page, info, state)
  expect.soft(await findingsOf(page), state).toEqual([])
}

async function keepPicture(page: Page, info: TestInfo, state: string): Promise<void> {
  const name = `${info.title.replace(/\W+/g, '-')}-${state}.png`
  const path = `e2e/results/states/${name}`
  await page.screenshot({ path, fullPage: true, animations: 'disabled' })
  await info.attach(name, { path, contentType: 'image/png' })
}
