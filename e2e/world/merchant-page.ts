import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import * as v from 'valibot'
import { PAGE_PORT, PAGE_URL, SERVICE_URL } from './addresses.ts'
import { DATA_DIR } from './paths.ts'

const Keys = v.object({ public_key: v.string(), secret_key: v.string() })

/** The demo merchant's keys. */
export function demoKeys(): v.InferOutput<typeof Keys> {
  return v.parse(Keys, JSON.parse(readFileSync(join(DATA_DIR, 'demo.json'), 'utf8')))
}

interface MerchantPage {
  /** Path → content; `.js` and `.mjs` are scripts, all else is HTML. */
  files: Readonly<Record<string, string>>
  /** Sent with each of them. */
  headers?: Readonly<Record<string, string>>
}

/** Serves pages of a test merchant, on another origin than the shop and the widget. Returns the stop function. */
export async function serveMerchantPage({ files, headers = {} }: MerchantPage): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', PAGE_URL).pathname
    const content = files[path]
    const type = /\.m?js$/.test(path) ? 'text/javascript' : 'text/html; charset=utf-8'
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': type, ...headers })
    response.end(content)
  })
  server.listen(PAGE_PORT)
  await once(server, 'listening')
  return async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}

/** A page with the widget's script tag and one for the merchant's script; it has no inline script. */
export const widgetPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A merchant</title>
<link rel="icon" href="/favicon.js"></head><body><h1>Pay</h1><div id="card"></div>
<form><input name="payment_source" aria-label="token"></form>
<script src="${SERVICE_URL}/sdk/latest/widget.umd.min.js"></script><script src="/page.js"></script></body></html>`

/** The merchant's three lines, and a log of every event for the test to read. */
export const widgetScript = (key: string, more = '') => `
const events = []
const widget = new svc.HtmlWidget('#card', '${key}')
widget.useAutoResize()
widget.onFinishInsert('input[name="payment_source"]', 'payment_source')
for (const name of Object.values(svc.EVENT)) widget.on(name, (event) => events.push(event))
${more}
widget.load()
`
