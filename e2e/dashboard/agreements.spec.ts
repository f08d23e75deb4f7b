import { expect } from '@playwright/test'
import { AGREEMENT, changeAs } from '../world/dashboard-api.ts'
import { test } from './as-owner.ts'

test('an agreement is used for a payment, amended, suspended, released and cancelled', async ({
  dashboard,
  context,
  page,
}) => {
  const id = await changeAs(context, 'POST', '/agreements', AGREEMENT)
  await dashboard.open('/agreements', 'Agreements')
  await expect(dashboard.row('Agreements', 'Books of a year')).toContainText('Active', { timeout: 15_000 })
  await page.goto(`/agreements/${id}`)
  await dashboard.isAt(/Books of a year/)

  await dashboard.press('Make a payment')
  const pay = dashboard.dialog('Make a payment')
  await pay.getByLabel('Amount').fill('30')
  await pay.getByLabel('Reference').fill('invoice-7')
  await expect(pay).toContainText('This takes $30.00 from the bank account of Ada Lovelace.')
  await pay.getByRole('button', { name: 'Take $30.00' }).click()
  await dashboard.says('The payment of $30.00 was accepted.')
  await expect(dashboard.row('Payments', 'invoice-7')).toContainText('Settled', { timeout: 15_000 })
  await dashboard.row('Payments', 'invoice-7').getByRole('link').click()
  await dashboard.isAt(/30\.00/)
  await page.getByRole('link', { name: 'See the agreement' }).click()

  await dashboard.press('Amend')
  await dashboard
    .dialog('Amend this agreement')
    .getByLabel('Description', { exact: true })
    .fill('Books of two years')
  await dashboard.confirm('Amend this agreement', 'Save texts')
  await dashboard.isAt(/Books of two years/)
  for (const [act, state] of [
    ['Suspend', 'Suspended'],
    ['Cancel agreement', 'Cancelled'],
  ] as const) {
    await dashboard.press(act)
    const question = dashboard.dialog(/this agreement\?$/)
    await question.getByLabel('Reason').selectOption('A dispute')
    await question.getByRole('button', { name: act }).click()
    await dashboard.isAt(new RegExp(state))
    if (act === 'Cancel agreement') continue
    await dashboard.press('Release')
    await dashboard.confirm('Release this agreement?', 'Release')
    await dashboard.isAt(/Active/)
  }
  await expect(dashboard.part('History')).toContainText(
    /Cancelled.*Released.*Suspended.*Amended.*Accepted.*Created/,
  )
})
