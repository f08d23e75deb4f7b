import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { verifyWebhook } from '../../src/server-client/verify-webhook.ts'
import { startAdyenDouble } from '../../src/service/domains/gateways/adyen/testing/adyen-double.ts'
import {
  SIGNING_KEY,
  signedNotification,
} from '../../src/service/domains/gateways/adyen/testing/signed-notification.ts'
import { createWebhookReceiver } from '../../src/service/testing/webhook-receiver.ts'
import { SERVICE_URL } from '../world/addresses.ts'
import { addAdyenAccount } from '../world/merchants.ts'
import { test } from './as-owner.ts'

// No other test uses this merchant, so the sums of its charges are known.
test.use({ merchantName: 'Kestrel Outdoor' })

/** By when everybody has to know, in ms. On a machine that does nothing else it takes less than a second. */
const SOON = { timeout: 20_000, intervals: [25] }

test('a capture that fails later is seen by everybody at once, who are told what to do', async ({
  dashboard,
  server,
  merchant,
  page,
}, info) => {
  const double = await startAdyenDouble({ apiKey: 'right' })
  const { gatewayId, user, password } = await addAdyenAccount(merchant, double.baseUrl, SIGNING_KEY)
  const receiver = await createWebhookReceiver()
  const secret = await server.addWebhook(receiver.url)
  const id = await server.charge({ amount: '40.00', reference: 'undone', isHold: true })
  await dashboard.open(`/charges/${id}`, /\$40\.00/)
  await dashboard.press('Capture')
  await dashboard.confirm('Capture held funds', 'Capture $40.00')
  await dashboard.says('$40.00 captured.')
  await dashboard.isAt(/Captured/)
  const [list, overview] = [await page.context().newPage(), await page.context().newPage()]
  await list.goto('/charges')
  const row = list.getByRole('table', { name: 'Charges' }).getByRole('row').filter({ hasText: 'undone' })
  await expect(row).toContainText('Captured')
  const captured = tile(overview.getByRole('region', { name: 'Figures' }), 'Captured')
  // Figures are counted a moment after the capture.
  await expect(async () => {
    await overview.goto('/')
    await expect(captured).toContainText('$40.00', { timeout: 2000 })
  }).toPass(SOON)

  const { reference = '' } =
    double.ledger.told.flatMap(({ eventCode, merchantReference }) =>
      eventCode === 'AUTHORISATION' ? [{ reference: merchantReference }] : [],
    )[0] ?? {}
  double.ledger.failLater(reference, 'captures')
  const told = signedNotification(double.ledger.told, { signingKeys: [SIGNING_KEY], user, password })
  const answer = await fetch(`${SERVICE_URL}/gateways/${gatewayId}/notifications`, {
    method: 'POST',
    ...told,
  })
  expect(await answer.text()).toBe('[accepted]')
  const toldAt = Date.now()
  const took: Record<string, number> = {}
  const seen = async (where: string, sees: Promise<unknown>) => {
    await sees
    took[where] = Date.now() - toldAt
  }
  const need = overview.getByRole('region', { name: 'Needs attention' })
  await Promise.all([
    seen('API', expect.poll(async () => (await server.read(id)).status, SOON).toBe('pending')),
    seen('webhook', expect.poll(() => receiver.types(), SOON).toContain('charge.capture_failed')),
    seen('page of the charge', says(page.getByRole('heading', { level: 1 }), 'Held')),
    seen('list', says(row, 'Held')),
    seen('needs attention', says(need, '1 movement has failed at the gateway later')),
    seen('figures', says(captured, '$0.00')),
  ])
  info.annotations.push({ type: 'ms after the news', description: JSON.stringify(took) })

  await expect(need).toContainText('Capture or refund again; if a charge has failed, send no goods')
  await expect(need.getByRole('link', { name: id })).toHaveAttribute('href', `/charges/${id}`)
  await expect(dashboard.part('Timeline')).toContainText(/fail/i)
  await expect(page.getByRole('button', { name: 'Capture', exact: true })).toBeVisible()
  const message = receiver.received.find(({ message: { type } }) => type === 'charge.capture_failed')
  const event = verifyWebhook(message?.body ?? '', message?.headers ?? {}, secret)
  expect(event).toMatchObject({ data: { _id: id, status: 'pending' } })
  const saved = list.waitForEvent('download')
  await list.getByRole('link', { name: 'Export CSV' }).click()
  const file = await readFile(await (await saved).path(), 'utf8')
  expect(file).toMatch(new RegExp(`${id},[^,]+,pending,40\\.00,AUD,0\\.00,0\\.00,undone`))

  await dashboard.press('Capture')
  await dashboard.confirm('Capture held funds', 'Capture $40.00')
  await dashboard.isAt(/Captured/)
  await expect(need).toContainText('Nothing needs attention', SOON)
  await receiver.close()
  await double.close()
})

/** Looks every 25 ms: what is measured is when it is there. */
const says = (locator: Locator, text: string) =>
  expect.poll(() => locator.textContent(), SOON).toContain(text)

const tile = (figures: Locator, name: string): Locator =>
  figures.locator('div').filter({ has: figures.page().getByRole('heading', { name, exact: true }) })
