import { expect } from '@playwright/test'
import { LONG, isLong } from '../long-form.ts'
import { startAdyenDouble } from '../../src/service/domains/gateways/adyen/testing/adyen-double.ts'
import { toldOf } from '../../src/service/domains/gateways/adyen/testing/double-ledger.ts'
import {
  SIGNING_KEY,
  signedNotification,
} from '../../src/service/domains/gateways/adyen/testing/signed-notification.ts'
import { signedEvent } from '../../src/service/domains/gateways/stripe/testing/dispute-ledger.ts'
import { startStripeDouble } from '../../src/service/domains/gateways/stripe/testing/stripe-double.ts'
import { chargeLike } from '../../src/service/domains/gateways/stripe/testing/stripe-shapes.ts'
import type { Dashboard } from '../pages/dashboard.ts'
import { test } from './as-owner.ts'
import { inspectFromTop } from './states/look.ts'

// Its default gateway changes here, so no other test uses this merchant.
test.use({ merchantName: 'Two Gateways' })

const post = async (url: string, { headers, body }: { headers: Record<string, string>; body: string }) =>
  (await fetch(url, { method: 'POST', headers, body })).status

test.setTimeout(isLong ? 300_000 : 60_000)

/** The address to which the gateway sends, as the page shows it. */
const addressIn = async (dashboard: Dashboard) => {
  const text = await dashboard.part('Notifications').locator('dd code').first().textContent()
  expect(text).toMatch(/^http:\/\/localhost:\d+\/gateways\/[0-9a-f]{24}\/notifications$/)
  return text ?? ''
}

/** A first notification as Adyen's “Test configuration” sends it. */
const TEST_ITEM = toldOf({ pspReference: '', amount: 10_150 }, 'AUTHORISATION', {
  ...{ pspReference: 'TESTNOTIFICATION1', merchantReference: 'testMerchantRef1' },
})

test('Adyen is connected by the page alone: credentials, notifications, the first one, a payment', async ({
  dashboard,
  server,
  page,
}, info) => {
  const double = await startAdyenDouble({ apiKey: 'AQE-right' })
  await dashboard.open('/gateways', 'Gateways')
  await dashboard.content.getByRole('link', { name: 'Connect a gateway' }).click()
  await dashboard.isAt('Connect a gateway')
  const { content } = dashboard
  await expect(content.getByLabel('API key')).toBeVisible()
  await inspectFromTop(page, info, { name: 'connect', index: 0 })
  await content.getByLabel('API key').fill('AQE-wrong')
  await content.getByLabel('Merchant account').fill('Acme')
  await content.getByLabel('Address of the Checkout API').fill(double.baseUrl)
  await content.getByLabel('Send new charges here').check()
  await dashboard.press('Check and connect')
  await expect(content).toContainText('Adyen does not let the API key in (HTTP 401).')
  await expect(content.getByLabel('API key')).toBeFocused()
  await inspectFromTop(page, info, { name: 'refused-key', index: 1 })
  await content.getByLabel('API key').fill('AQE-right')
  await dashboard.press('Check and connect')
  await dashboard.says('Adyen takes the account, and was added.')
  await dashboard.isAt(/Adyen/)
  await expect(content).toContainText('Not set up')
  await inspectFromTop(page, info, { name: 'to-set-up', index: 2 })

  const url = await addressIn(dashboard)
  await dashboard.press('Make user and password')
  const made = dashboard.dialog('User and password')
  const user = (await made.getByText(/^svc-/).textContent()) ?? ''
  await inspectFromTop(page, info, { name: 'password', index: 3 })
  const password = await dashboard.secretIn('User and password')
  await content.getByLabel('HMAC key').fill('no key')
  await dashboard.press('Save the HMAC key')
  await expect(content).toContainText('must be an HMAC key of Adyen')
  await content.getByLabel('HMAC key').fill(SIGNING_KEY)
  await dashboard.press('Save the HMAC key')
  await dashboard.says(/^The HMAC key was saved/)
  const arrival = dashboard.part('Do notifications arrive?')
  await expect(arrival).toContainText('Waiting for the first notification')
  await dashboard.press('Test the address')
  await expect(arrival).toContainText('only from its own network')
  await inspectFromTop(page, info, { name: 'waiting', index: 4 })

  const wrongKey = { signingKeys: [SIGNING_KEY.replaceAll('4', '5')], user, password }
  expect(await post(url, signedNotification([TEST_ITEM], wrongKey))).toBe(401)
  await expect(arrival).toContainText('signed by another HMAC key')
  await inspectFromTop(page, info, { name: 'refused', index: 5 })
  const secrets = { signingKeys: [SIGNING_KEY], user, password }
  expect(await post(url, signedNotification([TEST_ITEM], secrets))).toBe(200)
  await expect(arrival).toContainText('They arrive')
  await inspectFromTop(page, info, { name: 'arrives', index: 6 })

  await server.charge({ amount: '42.00', reference: 'by-adyen' })
  const books = double.ledger.payments().flatMap(({ reference }) => double.ledger.booksOf(reference))
  expect(books.map(({ taken }) => taken)).toEqual([4200])
  expect(await post(url, signedNotification(double.ledger.told.splice(0), secrets))).toBe(200)
  await dashboard.open('/gateways', 'Gateways')
  await dashboard.row('Gateways', 'Adyen').getByRole('link').click()
  await expect(dashboard.part('Do notifications arrive?')).toContainText('They arrive')
  await expect(page.getByText('What to do at Adyen')).toBeHidden()
  expect(await page.content()).not.toContain('AQE-right')
  await inspectFromTop(page, info, { name: 'connected', index: 7 })
  await double.close()
})

test(
  'Stripe is connected by the keyboard alone, and asks for no user and password',
  { tag: LONG },
  async ({ dashboard, server, page }, info) => {
    const double = await startStripeDouble({ secretKey: 'sk_test_right', accountId: 'acct_double' })
    const { content } = dashboard
    const { keyboard } = page
    const fill = async (label: string, text: string) => {
      await content.getByLabel(label).focus()
      await keyboard.press('ControlOrMeta+a')
      await keyboard.type(text)
    }
    await dashboard.open('/gateways/new', 'Connect a gateway')
    await content.getByLabel('Adyen', { exact: true }).focus()
    await keyboard.press('ArrowDown')
    await expect(content.getByLabel('Stripe', { exact: true })).toBeChecked()
    await fill('Secret key', 'sk_test_right')
    await fill('Account id', 'acct_double')
    await fill('Address of the API', double.baseUrl)
    await content.getByLabel('Send new charges here').focus()
    await keyboard.press('Space')
    await keyboard.press('Enter')
    await dashboard.says('Stripe takes the account, and was added.')
    await dashboard.isAt(/Stripe/)
    const setup = dashboard.part('Notifications')
    await expect(setup).toContainText('whsec_')
    await expect(setup).not.toContainText(/password/i)
    await inspectFromTop(page, info, { name: 'stripe', index: 0 })

    const url = await addressIn(dashboard)
    const secret = 'whsec_0123456789abcdef'
    await fill('Signing secret', secret)
    await keyboard.press('Enter')
    const arrival = dashboard.part('Do notifications arrive?')
    await expect(arrival).toContainText('Waiting for the first notification')
    const event = { type: 'charge.updated', object: chargeLike({}) } as const
    expect(await post(url, signedEvent(event, 'whsec_of_another_endpoint'))).toBe(401)
    await expect(arrival).toContainText('signed by another secret')
    expect(await post(url, signedEvent(event, secret))).toBe(200)
    await expect(arrival).toContainText('They arrive')

    await server.charge({ amount: '43.00', reference: 'by-stripe' })
    expect(double.requests.map(({ path }) => path)).toContain('/v1/payment_intents')
    await double.close()
  },
)
