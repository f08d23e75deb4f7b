import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import * as v from 'valibot'
import { build } from 'vite'
import { CardForm, GOOD_CARD } from '../pages/card-form.ts'
import { PAGE_PORT, PAGE_URL, SERVICE_URL } from '../world/addresses.ts'
import { demoKeys, serveMerchantPage } from '../world/merchant-page.ts'

const Built = v.object({
  output: v.array(
    v.union([
      v.object({ type: v.literal('chunk'), fileName: v.string(), code: v.string() }),
      v.object({ type: v.literal('asset'), fileName: v.string(), source: v.string() }),
    ]),
  ),
})
const Charge = v.object({
  resource: v.object({ data: v.object({ status: v.string(), amount: v.number() }) }),
})

/** Longest time that a build may take, so that one that hangs ends in words. */
const BUILD_MS = 200_000

/** The files of an example, built by its own build with the package of this repository. */
async function filesOf(example: string): Promise<Record<string, string>> {
  process.env['VITE_SVC_ORIGIN'] = SERVICE_URL
  process.env['VITE_SVC_PUBLIC_KEY'] = demoKeys().public_key
  const built = await build({
    root: resolve('examples', example),
    logLevel: 'error',
    resolve: { alias: { '@svc/widget': resolve('dist/npm') } },
    build: { write: false },
  })
  const files = v
    .parse(Built, built)
    .output.map((file): [string, string] => [
      file.fileName === 'index.html' ? '/' : `/${file.fileName}`,
      file.type === 'chunk' ? file.code : file.source,
    ])
  return Object.fromEntries(files)
}

/** The files of Angular's example, built by Angular's command line in the folder where it was installed. */
async function filesOfAngular(folder: string): Promise<Record<string, string>> {
  const set = { SVC_ORIGIN: SERVICE_URL, SVC_PUBLIC_KEY: demoKeys().public_key }
  const defines = Object.entries(set).flatMap(([name, value]) => ['--define', `${name}='${value}'`])
  await promisify(execFile)('npx', ['ng', 'build', ...defines], { cwd: folder, timeout: BUILD_MS })
  const built = join(folder, 'dist', 'pay', 'browser')
  const files = readdirSync(built).map((name): [string, string] => [
    name === 'index.html' ? '/' : `/${name}`,
    readFileSync(join(built, name), 'utf8'),
  ])
  return Object.fromEntries(files)
}

/**
 * Builds and serves Next's example by Next's command line. Returns the stop function. When it is told to stop, Next's server waits for every
 * connection, also for one that the browser opened in advance and never used, which Node keeps for five minutes.
 */
async function serveNext(folder: string): Promise<() => Promise<void>> {
  const set = { NEXT_PUBLIC_SVC_ORIGIN: SERVICE_URL, NEXT_PUBLIC_SVC_PUBLIC_KEY: demoKeys().public_key }
  const settings = { cwd: folder, env: { ...process.env, ...set, NEXT_TELEMETRY_DISABLED: '1' } }
  const next = join('node_modules', 'next', 'dist', 'bin', 'next')
  await promisify(execFile)(process.execPath, [next, 'build'], { ...settings, timeout: BUILD_MS })
  const server = spawn(process.execPath, [next, 'start', '--port', String(PAGE_PORT)], {
    ...settings,
    stdio: 'ignore',
  })
  return async () => {
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }
}

/** What the merchant's server does with the token. */
async function charge(token: string) {
  const answer = await fetch(`${SERVICE_URL}/v1/charges`, {
    method: 'POST',
    headers: { 'x-user-secret-key': demoKeys().secret_key, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: '10.00', currency: 'AUD', token }),
    signal: AbortSignal.timeout(20_000),
  })
  return v.parse(Charge, await answer.json()).resource.data
}

async function payThrough(page: Page, serve: () => Promise<() => Promise<void>>): Promise<void> {
  const end = await serve()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/frame?')) asked.push(request.url())
  })
  try {
    await expect(async () => void (await page.goto(PAGE_URL))).toPass({ timeout: 60_000 })
    const form = new CardForm(page)
    await form.fill(GOOD_CARD)
    await form.submit.click()
    await expect(page.locator('#token')).toHaveText(/^[0-9a-f-]{36}$/)
    const token = await page.locator('#token').innerText()
    expect(await charge(token)).toEqual({ status: 'complete', amount: 10 })
    expect(page.frames().filter((frame) => frame.url().includes('/sdk/'))).toHaveLength(1)
    expect(asked, 'a frame of the page’s own HTML is adopted').toHaveLength(1)
  } finally {
    await end()
  }
}

for (const example of ['plain', 'react', 'vue', 'svelte']) {
  test(`the example ${example} is built and paid through`, async ({ page }) => {
    const files = await filesOf(example)
    await payThrough(page, () => serveMerchantPage({ files }))
  })
}

test('the example react works in a page that allows no text as HTML', async ({ page }) => {
  const files = await filesOf('react')
  const headers = { 'content-security-policy': "require-trusted-types-for 'script'" }
  await payThrough(page, () => serveMerchantPage({ files, headers }))
})

/** Where `npm run examples -- angular next` has installed these two. */
const angular = process.env['ANGULAR_EXAMPLE']
const next = process.env['NEXT_EXAMPLE']
if (angular !== undefined)
  test('the example angular is built and paid through', async ({ page }) => {
    test.setTimeout(300_000)
    const files = await filesOfAngular(angular)
    await payThrough(page, () => serveMerchantPage({ files }))
  })
if (next !== undefined)
  test('the example next is built and paid through', async ({ page }) => {
    test.setTimeout(300_000)
    await payThrough(page, async () => {
      const stop = await serveNext(next)
      await expect(async () => {
        const html = await (await fetch(PAGE_URL)).text()
        expect(html.match(/<iframe [^>]*\/frame\?/g), 'the form in the HTML of the server').toHaveLength(1)
      }).toPass({ timeout: 60_000 })
      return stop
    })
  })

test('each example names the versions that are tested here', () => {
  const Manifest = v.object({
    dependencies: v.optional(v.record(v.string(), v.string()), {}),
    devDependencies: v.optional(v.record(v.string(), v.string()), {}),
  })
  const manifestOf = (folder: string) =>
    v.parse(Manifest, JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8')))
  const { devDependencies: tried } = manifestOf('.')
  for (const example of ['plain', 'react', 'vue', 'svelte']) {
    const { '@svc/widget': own, ...others } = manifestOf(`examples/${example}`).dependencies
    expect([undefined, 'file:../../dist/npm']).toContain(own)
    for (const [name, version] of Object.entries(others)) expect([name, version]).toEqual([name, tried[name]])
  }
})
