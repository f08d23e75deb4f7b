import { execFileSync } from 'node:child_process'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import * as v from 'valibot'
import { PAGE_URL, SERVICE_URL } from '../world/addresses.ts'
import { demoKeys, serveMerchantPage } from '../world/merchant-page.ts'
import { DATA_DIR } from '../world/paths.ts'

const Keys = v.object({ secret_key: v.string() })
const Made = v.object({ resource: v.object({ data: v.object({ _id: v.string(), token: v.string() }) }) })
const Read = v.object({
  resource: v.object({ data: v.object({ journey: v.array(v.object({ step: v.string() })) }) }),
})

/** A merchant whose checkouts only its own shop may show; the pages of these tests are not that shop's. */
function makeVictim(): string {
  const command = ['dist/service/svc.js', 'merchants', 'add', '--name', 'Victim', '--json']
  const said = execFileSync(process.execPath, [...command, '--origin', 'https://shop.example'], {
    env: { ...process.env, SVC_DATA_DIR: DATA_DIR },
    encoding: 'utf8',
  })
  return v.parse(Keys, JSON.parse(said)).secret_key
}

async function ask(secretKey: string, path: string, body?: object): Promise<unknown> {
  const headers = { 'x-user-secret-key': secretKey, 'content-type': 'application/json' }
  const request = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }
  return (await fetch(SERVICE_URL + path, request)).json()
}

const intend = async (secretKey: string) =>
  v.parse(Made, await ask(secretKey, '/v1/checkouts/intent', { version: 1, amount: '49.00' })).resource.data

const stepsOf = async (secretKey: string, id: string) =>
  v.parse(Read, await ask(secretKey, `/v1/checkouts/${id}`)).resource.data.journey.map(({ step }) => step)

let end: (() => Promise<void>) | undefined
test.afterEach(async () => {
  await end?.()
  end = undefined
})

/** Opens a page that frames the document of one intent and greets it with a token, as the SDK would. */
async function frame(page: Page, intentId: string, token: string): Promise<void> {
  const welcome = {
    channel: 'widget.svc',
    protocol: 2,
    widget_id: '11111111-1111-4111-8111-111111111111',
    settings: {},
    token,
  }
  end = await serveMerchantPage({
    files: {
      '/': `<!doctype html><html lang="en"><head><title>Foreign</title><link rel="icon" href="/favicon.js"></head>
<body><iframe title="Checkout" width="400" height="600"></iframe><script src="/page.js"></script></body></html>`,
      '/page.js': `const heard = []
const frame = document.querySelector('iframe')
frame.addEventListener('load', () => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }) => heard.push(data)
  frame.contentWindow.postMessage(${JSON.stringify(welcome)}, '*', [port2])
  document.title = 'Greeted'
})
frame.src = '${SERVICE_URL}/sdk/latest/checkout?intent_id=${intentId}'`,
    },
  })
  await page.goto(PAGE_URL)
  await expect(page).toHaveTitle('Greeted')
}

const amountIn = (page: Page) => page.frameLocator('iframe').getByText('A$49.00').first()

test('any page can show a checkout whose merchant allows every page', async ({ page }) => {
  const { _id: id, token } = await intend(demoKeys().secret_key)
  await frame(page, id, token)
  await expect(amountIn(page)).toBeVisible()
})

for (const [whose, idOf] of [
  ['its own document', (victimsId: string) => victimsId],
  ['the document of an unknown intent', () => '0'.repeat(24)],
] as const) {
  test(`a foreign page can't show a merchant's checkout in ${whose}`, async ({ page }) => {
    const victim = makeVictim()
    const { _id: id, token } = await intend(victim)
    const blocked = page.waitForEvent('console', (said) => said.text().includes('frame-ancestors'))
    await frame(page, idOf(id), token)
    await blocked
    await expect(page.frameLocator('iframe').locator('form')).toHaveCount(0)
    expect(await stepsOf(victim, id)).toEqual(['created'])
  })
}

for (const [whose, idOf] of [
  ['an intent of its own', async () => (await intend(demoKeys().secret_key))._id],
  ['no intent', () => Promise.resolve('')],
] as const)
  test(`a foreign page can't show a merchant's checkout in the document of ${whose}`, async ({ page }) => {
    const victim = makeVictim()
    const { _id: id, token } = await intend(victim)
    const answered = page.waitForResponse((response) => response.url().includes('/v1/checkouts/session'))
    await frame(page, await idOf(), token)
    expect((await answered).status()).toBe(403)
    await expect(page.frameLocator('iframe').locator('#result')).toBeVisible()
    await expect(amountIn(page)).toHaveCount(0)
    await expect(page.frameLocator('iframe').getByRole('textbox')).toHaveCount(0)
    expect(await stepsOf(victim, id)).toEqual(['created'])
  })
