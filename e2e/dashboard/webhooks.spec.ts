import { expect } from '@playwright/test'
import { createWebhookReceiver } from '../../src/service/testing/webhook-receiver.ts'
import { test } from './as-owner.ts'

test('a webhook is added, tested, sent an event twice, changed, and given a new secret', async ({
  dashboard,
  server,
  page,
}) => {
  const receiver = await createWebhookReceiver()
  await dashboard.open('/webhooks', 'Webhooks')
  await dashboard.press('Add a webhook')
  const adding = dashboard.dialog('Add a webhook')
  await adding.getByLabel('Address').fill('ftp://shop.example')
  await adding.getByRole('button', { name: 'Add a webhook' }).click()
  await expect(adding.getByRole('alert')).toBeVisible()
  await adding.getByLabel('Address').fill(receiver.url)
  await adding.getByRole('button', { name: 'Add a webhook' }).click()
  const added = dashboard.dialog('Webhook added')
  await expect(added).toContainText(/whsec_\S+.*This is shown once/)
  await dashboard.confirm('Webhook added', 'Done')

  await dashboard.row('Webhooks', receiver.url).getByRole('link').click()
  await dashboard.isAt(receiver.url)
  await dashboard.press('Send a test event')
  await dashboard.says('A test event is on its way.')
  await expect.poll(() => receiver.types()).toEqual(['test.ping'])
  const id = await server.charge({ amount: '15.00', reference: 'told' })
  await expect.poll(() => receiver.types()).toContain('charge.captured')
  await expect(dashboard.row('Deliveries', 'Test event sent')).toContainText('Delivered')
  await expect(dashboard.row('Deliveries', id)).toContainText(/Charge captured.*Delivered/)

  receiver.answerNext(500)
  await dashboard.row('Deliveries', id).getByRole('button', { name: 'Send again' }).click()
  await dashboard.says('It is on its way again.')
  await expect.poll(() => receiver.received.length).toBe(3)
  await expect(dashboard.row('Deliveries', id)).toContainText('500')
  await page.getByLabel('Status').selectOption('Waiting')
  await expect(dashboard.row('Deliveries', id)).toContainText('500')
  await expect(page).toHaveURL(/\?status=waiting$/)

  await dashboard.press('Change')
  const changing = dashboard.dialog('Change this webhook')
  await changing.getByLabel('Some events').check()
  await changing.getByLabel('Charge refunded').check()
  await dashboard.confirm('Change this webhook', 'Save')
  await dashboard.says('The webhook was changed.')
  await dashboard.press('New secret')
  await dashboard.confirm('Create a new signing secret', 'New secret')
  await expect(dashboard.dialog('The new signing secret')).toContainText(/whsec_\S+.*This is shown once/)
  await dashboard.confirm('The new signing secret', 'Done')
  await expect(dashboard.content).toContainText('signed by the old secret, too, until')
  await dashboard.press('Disable')
  await dashboard.confirm('Disable this webhook?', 'Disable')
  await expect(dashboard.content).toContainText('Nothing is sent there')
  await dashboard.press('Enable')
  await dashboard.says('It receives events from now on.')
  await dashboard.press('Send a test event')
  await expect.poll(() => receiver.types().filter((type) => type === 'test.ping')).toHaveLength(2)
  const signatures = receiver.received.at(-1)?.headers['webhook-signature'] ?? ''
  expect(signatures.split(' ')).toHaveLength(2)

  await dashboard.press('Delete')
  await dashboard.confirm('Delete this webhook?', 'Delete')
  await dashboard.isAt('Webhooks')
  await expect(dashboard.content).not.toContainText(receiver.url)
  await receiver.close()
})
