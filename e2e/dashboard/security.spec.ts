import { createHash } from 'node:crypto'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import * as v from 'valibot'
import type { Dashboard } from '../pages/dashboard.ts'
import { SERVICE_URL } from '../world/addresses.ts'
import { MerchantServer } from '../world/merchant-server.ts'
import { test } from './as-owner.ts'

const Token = v.object({ access_token: v.string() })

// Keys are revoked here, so no other test uses this merchant.
test.use({ merchantName: 'Keys & Locks' })

/** Rolls the secret key; returns the new one. */
async function rollSecretKey(dashboard: Dashboard, overlap: string): Promise<string> {
  await dashboard.press('Roll secret key')
  await dashboard
    .dialog('Roll the secret key')
    .getByLabel('The old one keeps working for')
    .selectOption(overlap)
  await dashboard.confirm('Roll the secret key', 'Roll secret key')
  return dashboard.secretIn('Your new secret key')
}

test('a key is rolled with an overlap, in which old and new charge, and is revoked at once', async ({
  dashboard,
  merchant,
}) => {
  await dashboard.open('/security', 'API and Security')
  await expect(dashboard.row('Keys', 'Public')).toContainText(merchant.publicKey)
  await expect(dashboard.row('Keys', 'Secret')).toContainText('Shown once, when it was created')
  const secretKey = await rollSecretKey(dashboard, 'One hour')
  await expect(dashboard.row('Keys', 'Secret')).toHaveText([
    /Active/,
    /Ends in (?:1 hour|60 minutes|59 minutes)/,
  ])
  const [old, rolled] = [new MerchantServer(merchant), new MerchantServer({ ...merchant, secretKey })]
  await old.charge({ amount: '1.00' })
  await rolled.charge({ amount: '2.00' })

  await dashboard.row('Keys', 'Ends in').getByRole('button', { name: 'Revoke' }).click()
  await dashboard.confirm('Revoke this secret key?', 'Revoke')
  await dashboard.says('The key was revoked.')
  expect(await old.status()).toBe(401)
  await rolled.charge({ amount: '3.00' })

  const third = await rollSecretKey(dashboard, 'No overlap: it ends at once')
  expect(await rolled.status()).toBe(401)
  expect(await new MerchantServer({ ...merchant, secretKey: third }).status()).toBe(200)
})

test('only pages of allowed origins show the card form', async ({ dashboard, merchant, page }) => {
  await dashboard.open('/security', 'API and Security')
  const origins = dashboard.part('Allowed origins')
  await origins.getByLabel('Origins').fill('http://shop.example/path')
  await origins.getByRole('button', { name: 'Save origins' }).click()
  await expect(origins.getByLabel('Origins')).toHaveAccessibleDescription(
    /“http:\/\/shop.example\/path”: This must be an origin/,
  )
  await origins.getByLabel('Origins').fill('https://shop.example\nhttps://*.shop.example')
  await origins.getByRole('button', { name: 'Save origins' }).click()
  await dashboard.says('The allowed origins were saved.')
  expect(await framedBy(page, merchant.publicKey)).toContain(
    'frame-ancestors https://shop.example https://*.shop.example',
  )
})

/** The policy that the card form is served with. */
async function framedBy(page: Page, publicKey: string): Promise<string> {
  const answer = await page.request.get(`${SERVICE_URL}/sdk/latest/frame?public_key=${publicKey}`)
  return answer.headers()['content-security-policy'] ?? ''
}

test('an OAuth client is made, fetches a token and reads agreements, and is revoked', async ({
  dashboard,
  page,
}) => {
  await dashboard.open('/security', 'API and Security')
  await dashboard.press('Create a client')
  await dashboard.confirm('Create a client', 'Create a client')
  const made = dashboard.dialog('Your new client')
  const id = (await made.locator('code').first().textContent()) ?? ''
  const secret = await dashboard.secretIn('Your new client')
  const token = async (clientSecret: string) =>
    page.request.post(`${SERVICE_URL}/oauth/token`, {
      form: { grant_type: 'client_credentials', client_id: id, client_secret: clientSecret },
    })
  const { access_token: bearer } = v.parse(Token, await (await token(secret)).json())
  const agreements = () =>
    page.request.get(`${SERVICE_URL}/agreements`, { headers: { authorization: `Bearer ${bearer}` } })
  expect((await agreements()).status()).toBe(200)

  const row = dashboard.row('OAuth clients', id)
  await expect(row).toContainText('Read agreements, Read payments')
  await row.getByRole('button', { name: 'New secret' }).click()
  await dashboard.confirm('Create a new secret', 'New secret')
  const next = await dashboard.secretIn('The new client secret')
  expect((await token(secret)).status()).toBe(200)
  expect((await token(next)).status()).toBe(200)
  await row.getByRole('button', { name: 'Revoke' }).click()
  await dashboard.confirm('Revoke this client?', 'Revoke')
  await expect(row).toContainText('Revoked')
  expect((await agreements()).status()).toBe(401)
})

test('the PCI kit names each script with its hash, and a policy under which the form works', async ({
  dashboard,
  page,
}) => {
  await dashboard.open('/security', 'API and Security')
  const kit = dashboard.part('PCI kit')
  const tag = (await kit.getByRole('region', { name: 'Script tag' }).textContent()) ?? ''
  const [, url = '', integrity = ''] = /src="([^"]+)" integrity="([^"]+)"/.exec(tag) ?? []
  await expect(dashboard.row('Scripts of the payment page', url)).toContainText(integrity)
  await expect(kit.getByRole('region', { name: 'Content-Security-Policy' })).toContainText(SERVICE_URL)
  const script = await page.request.get(url)
  const hash = createHash('sha384')
    .update(await script.body())
    .digest('base64')
  expect(integrity).toBe(`sha384-${hash}`)
})
