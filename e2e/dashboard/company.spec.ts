import { expect } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { test } from './as-owner.ts'

// Its name is changed, so no other test has this merchant.
test.use({ merchantName: 'Brook & Stone' })

test(
  'the company is renamed, its people read the new name, and it can be undone',
  { tag: LONG },
  async ({ dashboard, page }) => {
    await dashboard.open('/security', 'API and Security')
    const company = dashboard.part('Company')
    await company.getByLabel('Name').fill('Brook and Daughters')
    await company.getByRole('button', { name: 'Save name' }).click()
    await dashboard.says('The name was saved.')
    await expect(page.getByRole('banner')).toContainText('Brook and Daughters')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('banner')).toContainText('Brook & Stone')
    await page.reload()
    await expect(company.getByLabel('Name')).toHaveValue('Brook & Stone')
  },
)

test('gateways are tested, added, made the default; their credentials are never shown again', async ({
  dashboard,
  page,
}) => {
  await dashboard.open('/gateways', 'Gateways')
  await dashboard.row('Gateways', 'Default').getByRole('button', { name: 'Test' }).click()
  await expect(page.getByRole('status', { name: 'Messages' })).toContainText(/sandbox/i)

  await dashboard.content.getByRole('link', { name: 'Connect a gateway' }).click()
  const adding = dashboard.content
  await adding.getByLabel('Name').fill('Adyen Sydney')
  await adding.getByLabel('API key').fill('AQE-not-a-key-of-anybody')
  await adding.getByLabel('Merchant account').fill('BrookECOM')
  await adding.getByLabel('Address of the Checkout API').fill('http://localhost:9/v72')
  await dashboard.press('Check and connect')
  await dashboard.says(/^Adyen Sydney was added, and could not be asked about the account/)
  await dashboard.isAt(/Adyen Sydney/)
  await dashboard.follow('/gateways')
  const row = dashboard.row('Gateways', 'Adyen Sydney')
  await expect(row).toContainText(/Stored, encrypted.*When named/)
  expect(await page.content()).not.toContain('AQE-not-a-key')
  await row.getByRole('button', { name: 'Make default' }).click()
  await dashboard.confirm('Send new charges to Adyen Sydney?', 'Make default')
  await dashboard.says('New charges go to Adyen Sydney.')
  await expect(row).toContainText('Default')
})
