import { expect } from '@playwright/test'
import { test } from './as-owner.ts'

test('the audit log says who did what, and from where, and that its chain is intact', async ({
  dashboard,
  owner,
  server,
  page,
}) => {
  const id = await server.charge({ amount: '22.00', isHold: true })
  await dashboard.open(`/charges/${id}`, /22\.00/)
  await dashboard.press('Cancel hold')
  await dashboard.confirm('Cancel this hold?', 'Cancel hold')
  await dashboard.isAt(/Cancelled/)

  const act = dashboard.row('Entries', 'Asked to cancel a charge')
  await expect(async () => {
    await page.goto(`/audit?subject=${id}`)
    await expect(act).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(act).toContainText('Olive Owner')
  await expect(act).toContainText(owner.person.headers['x-forwarded-for'] ?? 'an address')
  await expect(dashboard.row('Entries', 'Charge authorised')).toContainText('Your company')
  await dashboard.row('Entries', 'Charge cancelled').getByRole('link').click()
  await dashboard.isAt(/22\.00/)

  await dashboard.open('/audit', 'Audit log')
  await dashboard.says(/The chain is intact\.|The first check of the chain is under way\./)
  await page.getByRole('combobox', { name: 'By', exact: true }).selectOption('Olive Owner')
  await page.getByLabel('What').selectOption('Charge captured')
  await expect(page).toHaveURL(/actor=user%3A[^&]+&type=charge\.captured/)
  await expect(dashboard.row('Entries', id)).toHaveCount(0)
})
