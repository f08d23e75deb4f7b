import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'

/**
 * Waits until a person could type into an input: until it is visible and not read-only. Playwright regards an input that is not
 * shown yet as editable, but it can't be focused, and keys for it are lost.
 */
export async function takesKeys(input: Locator): Promise<void> {
  await expect(input).toBeVisible()
  await expect(input).toBeEditable()
}
