import { expect } from '@playwright/test'
import { GOOD_CARD } from './pages/card-form.ts'
import { Shop } from './pages/shop.ts'
import { test } from './world/pinned-release.ts'

let shop: Shop
test.beforeEach(({ page }) => {
  shop = new Shop(page)
})

test('a shopper pays; the back office captures', async ({ page }) => {
  const reference = await shop.order()
  await expect(page.locator('#status')).toHaveText('held on your card')
  const row = await shop.row(reference)
  await expect(row).toContainText('held')
  await expect(row).toContainText('1118')
  await row.getByRole('button', { name: 'Capture' }).click()
  await expect(row.locator('.badge')).toHaveText('paid')
  await page.reload()
  await expect(row.locator('.badge')).toHaveText('paid')
  await expect(row.getByRole('button', { name: 'Capture' })).toHaveCount(0)
})

test('a shopper pays; the back office captures a part, finds it and gives back a part of that', async ({
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

test('a capture of more than was authorised is refused in words, and the hold stays', async ({ page }) => {
  const row = await shop.row(await shop.order())
  await row.getByRole('textbox').fill('9999.00')
  await row.getByRole('button', { name: 'Capture' }).click()
  await expect(page.locator('#news')).not.toBeEmpty()
  await expect(row.locator('.badge')).toHaveText('held')
})

test('a decline is said in words, and the form serves another try with what was typed', async ({ page }) => {
  await shop.pay({ expiry: '0539' })
  await expect(page.getByRole('alert')).toContainText(/declined|another card/i)
  await expect(shop.form.number).toHaveValue('5111 1111 1111 1118')
  await shop.form.expiry.fill('')
  await shop.form.expiry.pressSequentially('0139')
  await shop.form.submit.click()
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
})

test('two quick presses of the button make one charge', async ({ page }) => {
  let tokens = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/payment_sources/tokens')) tokens += 1
  })
  await shop.goToCheckout()
  await shop.form.type(GOOD_CARD)
  await shop.form.submit.dblclick()
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  expect(tokens).toBe(1)
})
