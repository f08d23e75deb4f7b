import { expect, test } from '@playwright/test'
import * as v from 'valibot'
import { CardForm } from './pages/card-form.ts'
import { PAGE_URL, SERVICE_URL } from './world/addresses.ts'
import { demoKeys, serveMerchantPage } from './world/merchant-page.ts'
import { takesKeys } from './pages/takes-keys.ts'

const List = v.object({
  latest: v.string(),
  releases: v.array(
    v.object({ version: v.string(), files: v.record(v.string(), v.object({ integrity: v.string() })) }),
  ),
})

const WIDGET = 'widget.umd.min.js'
const LOADER = `${SERVICE_URL}/sdk/latest/load-sdk.mjs`
const STRICT = [
  "default-src 'none'",
  `script-src 'self' ${SERVICE_URL}`,
  `frame-src ${SERVICE_URL}`,
  "require-trusted-types-for 'script'",
  'trusted-types svc-load-sdk',
].join('; ')

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A merchant</title>
<link rel="icon" href="/favicon.js"></head><body><h1>Pay</h1><div id="card"></div><p role="status"></p>
<script type="module" src="/page.mjs"></script></body></html>`

/** What a merchant's page does with the address and hash that its server was told. */
const script = (url: string, integrity: string) => `
import { loadSdk } from '${LOADER}'
const say = (text) => { document.querySelector('[role="status"]').textContent = text }
try {
  const svc = await loadSdk('${url}', { integrity: '${integrity}' })
  const widget = new svc.HtmlWidget('#card', '${demoKeys().public_key}')
  widget.useAutoResize()
  await widget.load()
  say('ready')
} catch (fault) {
  say(fault.code + ': ' + fault.message)
}`

let stop: () => Promise<void>
let url: string
let integrity: string
test.beforeEach(async ({ request }) => {
  const answer: unknown = await (await request.get(`${SERVICE_URL}/sdk/releases.json`)).json()
  const { latest, releases } = v.parse(List, answer)
  integrity = releases.find(({ version }) => version === latest)?.files[WIDGET]?.integrity ?? 'none'
  url = `${SERVICE_URL}/sdk/v${latest}/${WIDGET}`
  await serve(STRICT)
})
test.afterEach(() => stop())

async function serve(policy: string) {
  stop = await serveMerchantPage({
    files: { '/': page, '/page.mjs': script(url, integrity), '/favicon.js': '' },
    headers: { 'content-security-policy': policy },
  })
}

test('a page under the strictest policy loads the release that it is told, by its hash', async ({ page }) => {
  await page.goto(PAGE_URL)
  await expect(page.getByRole('status')).toHaveText('ready')
  await takesKeys(new CardForm(page).number)
})

test('an SDK that was changed in transit is refused by the browser, and the page says so', async ({
  page,
}) => {
  await page.route(url, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: `${await response.text()};steal()` })
  })
  await page.goto(PAGE_URL)
  await expect(page.getByRole('status')).toContainText('sdk_load_failed: The browser refused the SDK')
  expect(await page.evaluate('typeof svc')).toBe('undefined')
  await expect(page.locator('iframe')).toHaveCount(0)
})

test('a network that fails once causes no error', async ({ page }) => {
  let tries = 0
  await page.route(url, (route) => {
    tries += 1
    return tries === 1 ? route.abort() : route.continue()
  })
  await page.goto(PAGE_URL)
  await expect(page.getByRole('status')).toHaveText('ready')
  expect(tries).toBe(2)
})

test('a page whose policy does not allow the SDK learns what to add', async ({ page }) => {
  await stop()
  await serve(STRICT.replace(`'self' ${SERVICE_URL}`, `'self' ${LOADER}`))
  await page.goto(PAGE_URL)
  await expect(page.getByRole('status')).toContainText(`Add: script-src ${SERVICE_URL}`)
})
