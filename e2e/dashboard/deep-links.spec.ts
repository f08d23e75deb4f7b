import { expect } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { test } from './as-owner.ts'

const UNKNOWN = 'f'.repeat(24)

test('a link to something that does not exist leads to a page that says so', async ({ dashboard, page }) => {
  for (const [path, title] of [
    ['charges', 'Charge'],
    ['checkouts', 'Checkout'],
    ['agreements', 'Agreement'],
    ['payments', 'Payment'],
    ['templates', 'Template'],
    ['webhooks', 'Webhook'],
  ] as const) {
    await dashboard.open(`/${path}/${UNKNOWN}`, title)
    await expect(dashboard.content.getByRole('alert')).toContainText('This could not be loaded')
  }
  await dashboard.open('/nothing/here', 'There is no such page')
  await page.getByRole('link', { name: 'Go to the overview' }).click()
  await dashboard.isAt('Overview')
})

test(
  'the browser’s Back and Forward go through filters and pages',
  { tag: LONG },
  async ({ dashboard, server, page }) => {
    const id = await server.charge({ amount: '3.00', reference: 'back-and-forth' })
    await dashboard.open('/charges?q=back-and-forth&status=complete', 'Charges')
    await dashboard.row('Charges', 'back-and-forth').getByRole('link').click()
    await dashboard.isAt(/3\.00/)
    await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Team' }).click()
    await dashboard.isAt('Team')
    await page.goBack()
    await expect(page).toHaveURL(new RegExp(`/charges/${id}$`))
    await page.goBack()
    await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('back-and-forth')
    await expect(page.getByLabel('Status')).toHaveValue('complete')
    await page.goForward()
    await dashboard.isAt(/3\.00/)
  },
)
