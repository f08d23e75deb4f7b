import { expect } from '@playwright/test'
import { test } from './as-owner.ts'

test('a checkout is found, shows what the shopper did, and is cancelled', async ({
  dashboard,
  server,
  page,
}) => {
  await server.checkout({ version: 1, amount: '70.00', reference: 'order-70', description: 'Seven books' })
  await dashboard.open('/checkouts?q=order-70', 'Checkouts')
  await dashboard.row('Checkouts', 'order-70').getByRole('link').click()
  await dashboard.isAt(/70\.00/)
  await expect(dashboard.part('Journey')).toContainText('Created by your server')
  await expect(dashboard.fact('Description')).toHaveText('Seven books')
  await dashboard.press('Cancel checkout')
  await expect(dashboard.dialog('Cancel this checkout?')).toContainText(
    'The shopper can’t pay these $70.00 any more',
  )
  await dashboard.confirm('Cancel this checkout?', 'Cancel checkout')
  await dashboard.says('The checkout was cancelled.')
  await dashboard.isAt(/Cancelled/)
  await page.goto('/checkouts?q=order-70&status=active')
  await dashboard.says('Nothing fits this search')
})
