import { expect } from '@playwright/test'
import type { Page, TestInfo } from '@playwright/test'
import { findingsOf } from './findings.ts'

/** Keeps the way a state looks, and has axe look at it, too. */
export async function inspectState(page: Page, info: TestInfo, state: string): Promise<void> {
  const name = `${info.title.replace(/\W+/g, '-')}-${state}.png`
  const path = `e2e/results/states/${name}`
  await page.screenshot({ path, fullPage: true, animations: 'disabled' })
  await info.attach(name, { path, contentType: 'image/png' })
  expect.soft(await findingsOf(page), state).toEqual([])
}
