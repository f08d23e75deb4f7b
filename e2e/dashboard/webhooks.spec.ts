import { expect } from '@playwright/test'
import { createWebhookReceiver } from '../../src/service/testing/webhook-receiver.ts'
import { test } from './as-owner.ts'

test('a webhook is added, tried out, told of a charge, and sent to again', async ({
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
  await page.reload()
  await expect(dashboard.row('Deliveries', 'Test event sent')).toContainText('Delivered')
  await expect(dashboard.row('Deliveries', id)).toContainText(/Charge captured.*Delivered/)

  receiver.answerNext(500)
  await dashboard.row('Deliveries', id).getByRole('button', { name: 'Send again' }).click()
  await dashboard.says('It is on its way again.')
  await expect.poll(() => receiver.received.length).toBe(3)
  await expect(async () => {
    await page.getByLabel('State').selectOption('')
    await page.getByLabel('State').selectOption('Waiting')
    await expect(dashboard.row('Deliveries', id)).toContainText('500', { timeout: 500 })
  }).toPass()
  await expect(page).toHaveURL(/\?status=waiting$/)

  await dashboard.press('Delete')
  await dashboard.confirm('Delete this webhook?', 'Delete')
  await dashboard.isAt('Webhooks')
  await expect(dashboard.content).not.toContainText(receiver.url)
  await receiver.close()
})
