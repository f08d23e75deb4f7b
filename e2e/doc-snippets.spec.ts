import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import * as v from 'valibot'
import { LONG } from './long-form.ts'
import { at, pagesWith, snippetsIn } from '../docs/testing/snippets-in.ts'
import { payerOperations } from '../src/service/domains/checkouts/payer-routes.ts'
import { tokenOperation } from '../src/service/domains/payment-sources/routes.ts'
import type { SvcClient } from '../src/server-client/svc-client.ts'
import { CardForm, GOOD_CARD } from './pages/card-form.ts'
import { PAGE_PORT, PAGE_URL, SERVICE_URL } from './world/addresses.ts'
import { demoKeys, serveMerchantPage } from './world/merchant-page.ts'

const Package = v.object({
  SvcClient: v.custom<typeof SvcClient>((value) => typeof value === 'function'),
})

/** The client for the merchant's server, from the built package. */
async function merchantServer(): Promise<SvcClient> {
  const built = v.parse(Package, await import(resolve('dist/npm-server/server.js')))
  return new built.SvcClient({ baseUrl: SERVICE_URL, secretKey: demoKeys().secret_key })
}

/** What a sample shows once it has run. */
const SHOWS = {
  form: (page: Page) => expect(new CardForm(page).number).toBeVisible(),
  sdk: (page: Page) => expect.poll(() => page.evaluate(() => 'svc' in window)).toBe(true),
}

interface Sample {
  name: string
  html: string
  shows: keyof typeof SHOWS
}

const Releases = v.object({
  releases: v.array(
    v.object({ version: v.string(), files: v.record(v.string(), v.object({ integrity: v.string() })) }),
  ),
})

/** The hash that a reader copies from the list of releases. */
async function hashOf(version: string): Promise<string> {
  const list = v.parse(Releases, await (await fetch(`${SERVICE_URL}/sdk/releases.json`)).json())
  return list.releases.find((one) => one.version === version)?.files['widget.umd.min.js']?.integrity ?? ''
}

const sdk = `<script src="${SERVICE_URL}/sdk/latest/widget.umd.min.js"></script>`

/** Every sample for a page, with keys, tokens and hashes filled in as a reader does. */
async function samples(): Promise<Sample[]> {
  const { checkouts } = await merchantServer()
  const checkout = await checkouts.create({ version: 1, amount: '10.00' })
  const hash = await hashOf('1.0.0')
  const filled = (html: string) =>
    at(SERVICE_URL, html)
      .replace('{widget_url}', SERVICE_URL)
      .replace('PUBLIC_KEY', demoKeys().public_key)
      .replace('GATEWAY_ID', 'default')
      .replace("'TOKEN'", `'${checkout.token ?? ''}'`)
      .replace('sha384-…', hash)
  const inPages = ['README.md', ...pagesWith('html')].flatMap((name) =>
    snippetsIn(name, 'html').map((html) => ({ name, html })),
  )
  const inReference = [tokenOperation, payerOperations.pay].map(({ id, pageExample = '' }) => ({
    name: id,
    html: pageExample,
  }))
  const scripts = pagesWith('js browser').flatMap((name) =>
    snippetsIn(name, 'js browser').map((script) => ({ name, html: moduleOf(script, checkout) })),
  )
  return [...inPages, ...inReference, ...scripts].map(({ name, html }) => ({
    name,
    html: filled(html.includes('src=') || html.includes('loadSdk') ? html : `${sdk}${html}`),
    shows: /HtmlWidget|svc\.Checkout/.test(html) ? 'form' : 'sdk',
  }))
}

/** A script of a page, with what its server has told it about the checkout. */
function moduleOf(script: string, checkout: object): string {
  const known = 'token, recommended_sdk_version_url, recommended_sdk_version_integrity'
  return `<div id="checkout"></div><script type="module">
${script}
</script><script>const { ${known} } = ${JSON.stringify(checkout)}</script>`
}

const documentOf = (body: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>A merchant</title><link rel="icon" href="/favicon.js"></head><body>${body}</body></html>`

test('the samples for a page run unchanged', async ({ context }) => {
  const all = await samples()
  expect(all.length).toBeGreaterThan(10)
  const files = Object.fromEntries(all.map(({ html }, index) => [`/${String(index)}`, documentOf(html)]))
  const end = await serveMerchantPage({ files })
  try {
    // All at once, as most of the time is spent waiting.
    await Promise.all(
      all.map(({ name, shows }, index) =>
        test.step(name, async () => {
          const page = await context.newPage()
          const faults: string[] = []
          page.on('pageerror', (error) => faults.push(error.message))
          await page.goto(`${PAGE_URL}/${String(index)}`)
          await SHOWS[shows](page)
          expect(faults).toEqual([])
        }),
      ),
    )
  } finally {
    await end()
  }
})

test(
  'the page of the guide to a first payment hands its server a token that can be charged',
  { tag: LONG },
  async ({ page }) => {
    const sample = (await samples()).find(({ name }) => name === 'docs/guides/first-payment.md')
    const end = await serveMerchantPage({ files: { '/': documentOf(sample?.html ?? '') } })
    try {
      await page.goto(PAGE_URL)
      await new CardForm(page).fill(GOOD_CARD)
      const posted = page.waitForRequest('**/pay')
      await page.getByRole('button', { name: 'Pay', exact: true }).click()
      const token = new URLSearchParams((await posted).postData() ?? '').get('payment_source') ?? ''
      const { charges } = await merchantServer()
      const charge = await charges.create({ amount: '10.00', currency: 'AUD', token })
      expect(charge.status).toBe('complete')
    } finally {
      await end()
    }
  },
)

const THREE_D_SECURE = 'docs/guides/3-d-secure.md'

/** The server and the page of the guide to 3-D Secure, as files of a folder of their own, served. Returns the stop function. */
async function serveGuide(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-guide-'))
  const [server = ''] = snippetsIn(THREE_D_SECURE, 'js')
  const [html = ''] = snippetsIn(THREE_D_SECURE, 'html')
  await writeFile(join(folder, 'server.mjs'), at(SERVICE_URL, server))
  await writeFile(
    join(folder, 'page.html'),
    at(SERVICE_URL, html).replace('PUBLIC_KEY', demoKeys().public_key),
  )
  await mkdir(join(folder, 'node_modules/@svc'), { recursive: true })
  await symlink(resolve('dist/npm-server'), join(folder, 'node_modules/@svc/server'))
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: folder,
    env: { SECRET_KEY: demoKeys().secret_key, PORT: String(PAGE_PORT) },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  await expect
    .poll(() =>
      fetch(PAGE_URL).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true)
  return async () => {
    child.kill()
    await ended
    await rm(folder, { recursive: true })
  }
}

test('the two files of the guide to 3-D Secure ask a shopper’s bank, and again after giving up', async ({
  page,
}) => {
  const end = await serveGuide()
  try {
    await page.goto(PAGE_URL)
    const form = new CardForm(page, '#card')
    await form.fill({ ...GOOD_CARD, number: '4970110000001011' })
    await form.submit.click()
    const step = page.frameLocator('iframe[src*="/authentication?"]')
    await step.getByRole('button', { name: 'Cancel payment' }).click()
    await step.getByRole('button', { name: 'Yes, cancel payment' }).click()
    await form.code.fill('100')
    await form.submit.click()
    const answered = page.waitForResponse('**/result')
    await step.frameLocator('#bank').getByLabel('Code').fill('1234')
    await page.keyboard.press('Enter')
    expect(await (await answered).json()).toEqual({ status: 'complete' })
    await expect(page.locator('dialog')).toHaveCount(0)
  } finally {
    await end()
  }
})
