import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'

/**
 * Waits until a person could type into an input: it is seen, and not read-only. To Playwright one that is not shown yet is
 * editable, but it takes no focus, and keys that are meant for it go nowhere.
 */
export async function takesKeys(input: Locator): Promise<void> {
  await expect(input).toBeVisible()
  await expect(input).toBeEditable()
}
