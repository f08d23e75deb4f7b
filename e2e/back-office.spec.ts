import { expect } from '@playwright/test'
import { Shop } from './pages/shop.ts'
import { test } from './world/pinned-release.ts'

// What happens after an order; e2e/pay.spec.ts tests ordering. The card form and differences of browsers play no part here.
let shop: Shop
test.beforeEach(({ page }) => {
  shop = new Shop(page)
})

test('a shopper pays; the back office captures a part, finds the charge and refunds a part', async ({
  page,
}) => {
  const row = await shop.row(await shop.order())
  await row.getByRole('textbox').fill('1.50')
  await row.getByRole('button', { name: 'Capture' }).click()
  await expect(row.locator('.badge')).toHaveText('paid')
  await expect(row).toContainText('1.50')
  await page.getByLabel('Show').selectOption('held')
  await expect(row).toBeHidden()
  await page.getByLabel('Show').selectOption('paid')
  await row.getByRole('textbox').fill('0.50')
  await row.getByRole('button', { name: 'Refund' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Give it back' }).click()
  await expect(row).toContainText('A$0.50 given back')
  await expect(row.getByRole('textbox')).toHaveValue('1.00')
})

test('a shopper pays; the back office cancels', async () => {
  const row = await shop.row(await shop.order())
  await row.getByRole('button', { name: 'Cancel' }).click()
  await expect(row.locator('.badge')).toHaveText('released')
})

test('a capture of more than was authorised is refused with a reason, and the hold stays', async ({
  page,
}) => {
  const row = await shop.row(await shop.order())
  await row.getByRole('textbox').fill('9999.00')
  await row.getByRole('button', { name: 'Capture' }).click()
  await expect(page.locator('#news')).not.toBeEmpty()
  await expect(row.locator('.badge')).toHaveText('held')
})
