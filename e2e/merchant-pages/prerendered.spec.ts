import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { PAGE_PORT, PAGE_URL } from '../world/addresses.ts'
import { demoKeys, widgetPage, widgetScript } from '../world/merchant-page.ts'

/** The whole browser, as its headless shell prerenders nothing; and without a driver, which would keep it from that. */
const CHROMIUM = '/usr/bin/chromium'
/** Longer than a load may take. */
const PRERENDERED_MS = 17_000

const RULES = { prerender: [{ source: 'list', urls: ['/pay'], eagerness: 'immediate' }] }
const BASKET = `<!doctype html><title>Basket</title>
<script type="speculationrules">${JSON.stringify(RULES)}</script>
<script>setTimeout(() => (location.href = '/pay'), ${PRERENDERED_MS})</script>`

/** Tells the server what the widget says, and for how long the page was prerendered. */
const TELL = `
const tell = ({ event, error }) => {
  const [{ activationStart }] = performance.getEntriesByType('navigation')
  fetch('/told?' + new URLSearchParams({ event, code: error?.code ?? '', prerendered: activationStart }))
}
widget.on('afterLoad', tell).on('systemError', tell)`

test('a page that is prerendered shows the form when a person comes to it, however late', async () => {
  test.skip(!existsSync(CHROMIUM), 'there is no whole Chromium')
  const files: Record<string, string> = {
    '/': BASKET,
    '/pay': widgetPage,
    '/page.js': widgetScript(demoKeys().public_key, TELL),
  }
  const server = createServer()
  const told = new Promise<URLSearchParams>((resolve) => {
    server.on('request', ({ url = '/' }, response) => {
      const { pathname, searchParams } = new URL(url, PAGE_URL)
      if (pathname === '/told') resolve(searchParams)
      const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html'
      response.writeHead(pathname in files ? 200 : 404, { 'content-type': type })
      response.end(files[pathname])
    })
  })
  server.listen(PAGE_PORT)
  await once(server, 'listening')
  const profile = mkdtempSync(join(tmpdir(), 'svc-prerender-'))
  const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run']
  const browser = spawn(CHROMIUM, [...options, `--user-data-dir=${profile}`, PAGE_URL], { stdio: 'ignore' })
  const ended = once(browser, 'exit')
  try {
    const { event, code, prerendered } = Object.fromEntries(await told)
    expect([event, code]).toEqual(['afterLoad', ''])
    expect(Number(prerendered)).toBeGreaterThan(15_000)
  } finally {
    browser.kill()
    await ended
    server.closeAllConnections()
    server.close()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
})
