import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { test } from './as-owner.ts'

// No other test uses this merchant, so the sums of its charges are known.
test.use({ merchantName: 'Figures & Sons' })

test('the overview shows the results of charges, and leads to those that need attention', async ({
  dashboard,
  server,
  page,
}) => {
  const taken = await server.charge({ amount: '100.00' })
  await server.charge({ amount: '60.00', number: '5555555555554444' })
  await server.charge({ amount: '40.00', reference: 'to-be-captured', isHold: true })
  await server.refund(taken, { amount: '25.00' })
  await server.decline('9000.51')

  await dashboard.open('/', 'Overview')
  const tile = (name: string): Locator =>
    dashboard
      .part('Figures')
      .locator('div')
      .filter({ has: page.getByRole('heading', { name, exact: true }) })
  await expect(async () => {
    await page.reload()
    // Events are counted in order, so once the last one is counted all are.
    await expect(tile('Declined')).toContainText('$9,000.51', { timeout: 1000 })
  }).toPass()
  await expect(tile('Authorised')).toHaveText(/\$200\.00.*3 times/)
  await expect(tile('Captured')).toHaveText(/\$160\.00.*2 times/)
  await expect(tile('Refunded')).toHaveText(/\$25\.00.*1 time$/)
  await expect(tile('Declined')).toHaveText(/\$9,000\.51.*1 time$/)
  await expect(tile('Approval rate')).toContainText('75%')
  await expect(dashboard.row('By card scheme', 'Mastercard')).toContainText('$60.00')
  await expect(dashboard.part('Why sales were declined')).toContainText(
    'The account has too little for this amount.',
  )
  await expect(
    page.getByRole('img', { name: /^Amounts from .* The figures are in the table below\.$/ }),
  ).toBeVisible()

  const needs = dashboard.part('Needs attention')
  await expect(needs.getByRole('heading', { name: '1 hold ends within a day' })).toHaveCount(0)
  await dashboard.row('By card scheme', 'Visa').getByRole('link').click()
  await dashboard.isAt('Charges')
  await expect(page).toHaveURL(/\/charges\?scheme=visa&from=/)
  await expect(dashboard.row('Charges', 'to-be-captured')).toBeVisible()
})

test('the overview’s range of days is part of its address', async ({ dashboard, page }) => {
  await dashboard.open('/', 'Overview')
  await page.getByRole('link', { name: '90 days' }).click()
  await expect(page).toHaveURL(/days=90/)
  await page.getByLabel('From', { exact: true }).fill('2020-01-01')
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await dashboard.says('Nothing happened in these days')
  await page.reload()
  await dashboard.says('Nothing happened in these days')
})
