import { expect, test } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { takesKeys } from '../pages/takes-keys.ts'

test('the playground shows a form of each theme when it is asked to', { tag: LONG }, async ({ page }) => {
  await page.goto('/playground')
  const forms = page.locator('#themes iframe')
  await expect(page.getByText('All four themes')).toBeVisible()
  await expect(forms).toHaveCount(0)
  await page.getByText('All four themes').click()
  await expect(forms).toHaveCount(4)
  for (const frame of await forms.all()) await takesKeys(frame.contentFrame().getByLabel('Card number'))
})
