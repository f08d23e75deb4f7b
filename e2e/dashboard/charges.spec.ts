import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { test } from './as-owner.ts'

const time = 'Timeline'

test('charges are found by search and filters, which stand in the address', async ({
  dashboard,
  server,
  page,
}) => {
  await server.charge({ amount: '31.10', reference: 'find-visa' })
  await server.charge({ amount: '32.20', reference: 'find-master', number: '5555555555554444' })
  await server.charge({ amount: '33.30', reference: 'find-held', isHold: true })

  await dashboard.open('/charges', 'Charges')
  await page.getByRole('searchbox', { name: 'Search' }).fill('find-')
  await expect(dashboard.row('Charges', 'find-')).toHaveCount(3)
  await page.getByLabel('Scheme').selectOption('Mastercard')
  await expect(dashboard.row('Charges', 'find-')).toHaveText([/32\.20.*Captured.*4444.*find-master/])

  await page.goto('/charges?q=find-&status=pending')
  await expect(dashboard.row('Charges', 'find-')).toHaveText([/33\.30.*Held.*find-held/])
  await expect(page.getByLabel('Status')).toHaveValue('pending')
  await page.goto('/charges?q=find-&amount.from=31.11&amount.to=32.20')
  await expect(dashboard.row('Charges', 'find-')).toHaveText([/find-master/])
  await page.goto('/charges?q=find-&status=refunded')
  await dashboard.says('Nothing fits this search')
  await page.getByRole('main').getByRole('link', { name: 'Clear filters' }).click()
  await expect(dashboard.row('Charges', 'find-')).toHaveCount(3)
})

test('a hold is captured in part, and refunded', async ({ dashboard, server, page }) => {
  const id = await server.charge({ amount: '50.00', reference: 'part', isHold: true })
  await dashboard.open('/charges?q=part', 'Charges')
  await dashboard.row('Charges', 'part').getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`/charges/${id}$`))
  await dashboard.press('Capture')
  const capture = dashboard.dialog('Capture held funds')
  await capture.getByLabel('Amount to capture').fill('60')
  await capture.getByRole('button', { name: 'Capture', exact: true }).click()
  await expect(capture).toContainText('This may be $50.00 at most.')
  await capture.getByLabel('Amount to capture').fill('20')
  await expect(capture).toContainText(
    'This takes $20.00 from Visa •••• 1111 (Grace Hopper). The other $30.00 go back',
  )
  await capture.getByRole('button', { name: 'Capture $20.00' }).click()
  await dashboard.says('$20.00 captured.')

  await dashboard.press('Refund')
  const refund = dashboard.dialog('Refund')
  await refund.getByLabel('Amount to refund').fill('7.50')
  await refund.getByLabel('Reference').fill('return-1')
  await expect(refund).toContainText('This gives $7.50 back to Visa •••• 1111 (Grace Hopper). Another $12.50')
  await refund.getByRole('button', { name: 'Refund $7.50' }).click()
  await dashboard.says('$7.50 refunded.')

  await expect(dashboard.part(time).getByRole('list', { name: time }).locator('> li')).toContainText([
    /Refunded \$7\.50.*you · Reference: return-1/i,
    /Captured \$20\.00.*you/i,
    /Held \$50\.00.*your server/i,
  ])
  await expect(dashboard.fact('Can be refunded')).toHaveText('$12.50')
})

test('metadata is edited on the charge’s page, and finds the charge', async ({ dashboard, server }) => {
  const id = await server.charge({ amount: '14.00', reference: 'words' })
  await dashboard.open(`/charges/${id}`, /\$14\.00/)
  await dashboard.press('Edit details')
  const edit = dashboard.dialog('Edit details')
  await edit.getByLabel('Reference').fill('words-2')
  await edit.getByLabel('Metadata').fill('order_id: E2E-14')
  await edit.getByRole('button', { name: 'Save' }).click()
  await dashboard.says('Details saved.')
  await expect(dashboard.fact('order_id')).toHaveText('E2E-14')
  await dashboard.open('/charges?q=order_id%3A%20E2E-14', 'Charges')
  await expect(dashboard.row('Charges', 'words-2')).toHaveCount(1)
})

test('a hold is cancelled after a confirmation', async ({ dashboard, server }) => {
  const id = await server.charge({ amount: '12.00', reference: 'cancel', isHold: true })
  await dashboard.open(`/charges/${id}`, /\$12\.00/)
  await dashboard.press('Cancel hold')
  await expect(dashboard.dialog('Cancel this hold?')).toContainText(
    'The held $12.00 go back to Visa •••• 1111',
  )
  await dashboard.confirm('Cancel this hold?', 'Cancel hold')
  await dashboard.says('The hold of $12.00 was cancelled.')
  await dashboard.isAt(/Cancelled/)
})

test('a charge made by the API appears without a reload, and so does what is done with it', async ({
  dashboard,
  server,
}) => {
  const id = await server.charge({ amount: '8.00', reference: 'live-before' })
  await dashboard.open('/charges', 'Charges')
  await expect(dashboard.row('Charges', 'live-before')).toContainText('Captured')
  await server.charge({ amount: '9.00', reference: 'live-after' })
  await dashboard.says('1 new charge')
  await dashboard.press('Show')
  await expect(dashboard.row('Charges', 'live-after')).toContainText('$9.00')
  await server.refund(id, { amount: '8.00' })
  await expect(dashboard.row('Charges', 'live-before')).toContainText('Refunded')
})

test('charges that were found are exported', { tag: LONG }, async ({ dashboard, server, page }) => {
  await server.charge({
    amount: '5.00',
    reference: 'export-1',
    description: '=HYPERLINK("https://evil.example")',
  })
  await server.charge({ amount: '6.00', reference: 'export-2' })
  await dashboard.open('/charges?q=export-1', 'Charges')
  const saved = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  const file = await readFile(await (await saved).path(), 'utf8')
  const [heading, line, ...more] = file.trimEnd().split('\r\n')
  expect(heading).toMatch(
    /^\ufeffid,created_at,status,amount,currency,captured_amount,refunded_amount,reference/,
  )
  expect(line).toMatch(
    /,complete,5\.00,AUD,5\.00,0\.00,export-1,"'=HYPERLINK\(""https:\/\/evil\.example""\)",/,
  )
  expect(more).toEqual([])
})

test('a refund whose answer was lost with the network is not made twice', async ({
  dashboard,
  server,
  page,
  context,
}) => {
  const id = await server.charge({ amount: '20.00', reference: 'lost-line' })
  await dashboard.open(`/charges/${id}`, /\$20\.00/)
  const keys: (string | undefined)[] = []
  await page.route('**/refunds', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 1) return route.continue()
    await route.fetch()
    await context.setOffline(true)
    return route.abort('internetdisconnected')
  })
  await dashboard.press('Refund')
  const refund = dashboard.dialog('Refund')
  await refund.getByLabel('Amount to refund').fill('5')
  await refund.getByRole('button', { name: 'Refund $5.00' }).click()
  await expect(refund).toContainText('it is unknown whether this was done')
  await context.setOffline(false)
  await refund.getByRole('button', { name: 'Refund $5.00' }).click()
  await dashboard.says('$5.00 refunded.')
  await expect(dashboard.fact('Can be refunded')).toHaveText('$15.00')
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
})
