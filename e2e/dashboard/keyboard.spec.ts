import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { test } from './as-owner.ts'

/** More than the number of Tab stops of any page. */
const MAX_STOPS = 60

/** Presses Tab until a button with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const isThere = () => page.evaluate((words) => document.activeElement?.textContent === words, name)
  for (let stops = 0; !(await isThere()); stops += 1) {
    if (stops === MAX_STOPS) throw new Error(`the Tab key does not come to ${name}`)
    await page.keyboard.press('Tab')
  }
}

test('by the keyboard alone a hold is found, opened and captured', async ({ dashboard, server, page }) => {
  const { keyboard } = page
  await server.charge({ amount: '4.00', reference: 'keys-older' })
  await server.charge({ amount: '5.00', reference: 'keys-held', isHold: true })
  await server.charge({ amount: '6.00', reference: 'keys-newer' })
  await dashboard.open('/charges', 'Charges')
  await expect(dashboard.row('Charges', 'keys-older')).toBeVisible()

  await keyboard.press('?')
  await expect(dashboard.dialog('Keyboard shortcuts')).toContainText('Next row')
  await keyboard.press('Escape')
  await keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeFocused()
  await keyboard.type('keys-')
  await expect(dashboard.row('Charges', 'keys-')).toHaveCount(3)
  await expect(page).toHaveURL(/\?q=keys-$/)
  await keyboard.press('Shift+Tab')
  await keyboard.press('j')
  await expect(dashboard.row('Charges', 'keys-newer').getByRole('link')).toBeFocused()
  await keyboard.press('j')
  await keyboard.press('ArrowDown')
  await keyboard.press('k')
  await expect(dashboard.row('Charges', 'keys-held').getByRole('link')).toBeFocused()
  await keyboard.press('Enter')
  await dashboard.isAt(/5\.00/)
  await expect(dashboard.content.getByRole('button', { name: 'Capture' })).toBeVisible()

  await tabTo(page, 'Capture')
  await keyboard.press('Enter')
  const capture = dashboard.dialog('Capture held funds')
  await expect(capture).toBeVisible()
  await keyboard.press('Escape')
  await expect(dashboard.content.getByRole('button', { name: 'Capture' })).toBeFocused()
  await keyboard.press('Enter')
  await tabTo(page, 'Capture $5.00')
  await keyboard.press('Enter')
  await dashboard.says('$5.00 captured.')
})
