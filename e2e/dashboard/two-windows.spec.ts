import { expect } from '@playwright/test'
import { addMerchant, linkFor } from '../world/merchants.ts'
import { test } from './as-owner.ts'

// Its owner's session goes to another merchant, so no other test has this one.
test.use({ merchantName: 'First Window' })

test('a window of another merchant than its session saves no file; it says so and follows', async ({
  dashboard,
  server,
  owner,
  page,
}) => {
  await server.charge({ amount: '18.10', reference: 'two-windows' })
  const other = await addMerchant('Second Window')
  const link = new URL(await linkFor(other, owner.person.email, 'owner'))
  await dashboard.open('/charges?q=two-windows', 'Charges')
  await expect(dashboard.row('Charges', 'two-windows')).toHaveCount(1)
  // By joining, the session of all windows goes to the other merchant.
  const answer = await page.request.post('/api/invitations/accept', {
    data: { token: link.hash.slice(1), password: owner.person.password },
    headers: { origin: new URL(page.url()).origin },
  })
  expect(answer.ok(), await answer.text()).toBe(true)

  const saved: string[] = []
  page.on('download', (download) => saved.push(download.suggestedFilename()))
  await page.getByRole('link', { name: 'Export CSV' }).click()
  await dashboard.says('Another window has gone to another merchant or person')
  await expect(page.getByRole('banner')).toContainText('Second Window')
  expect(saved).toEqual([])
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  expect((await file).suggestedFilename()).toBe('charges.csv')
})
