import type { FrameLocator, Locator, Page } from '@playwright/test'
import * as v from 'valibot'
import { PAGE_URL, SERVICE_URL } from '../world/addresses.ts'
import { demoKeys, serveMerchantPage } from '../world/merchant-page.ts'

/** Nothing but the service's script and frame, as strict as a policy can be. */
const STRICT_POLICY = [
  "default-src 'none'",
  `script-src ${SERVICE_URL}/sdk/ ${PAGE_URL}/page.js`,
  `frame-src ${SERVICE_URL}`,
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const Answer = v.object({
  resource: v.object({
    data: v.object({
      _id: v.string(),
      status: v.string(),
      _3ds: v.optional(v.object({ id: v.string(), token: v.optional(v.string()) })),
    }),
  }),
})
type Charge = v.InferOutput<typeof Answer>['resource']['data']

/** Charges a card whose form was in a browser like this one, as the merchant's server does. */
export async function chargeOf(number: string): Promise<Charge> {
  const { public_key, secret_key } = demoKeys()
  const browser = {
    language: 'en-AU',
    time_zone_offset: -660,
    screen_width: 1280,
    screen_height: 720,
    color_depth: 24,
  }
  const card = { type: 'card', card_name: 'Grace Hopper', card_number: number, card_ccv: '100' }
  const body = { ...card, expire_month: 1, expire_year: 39, browser }
  const made = await post('/v1/payment_sources/tokens', { 'x-user-public-key': public_key }, body)
  const { data: token } = v.parse(v.object({ resource: v.object({ data: v.string() }) }), made).resource
  const sale = { amount: '49.95', currency: 'AUD', token }
  return v.parse(Answer, await post('/v1/charges', { 'x-user-secret-key': secret_key }, sale)).resource.data
}

/** The status of a charge now. */
export async function statusOf({ _id }: Charge): Promise<string> {
  const headers = { 'x-user-secret-key': demoKeys().secret_key }
  const answer = await fetch(`${SERVICE_URL}/v1/charges/${_id}`, { headers })
  return v.parse(Answer, await answer.json()).resource.data.status
}

const HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A merchant</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
</head><body><main aria-label="Shop"><h1>Pay</h1>
<button id="before" type="button">Before</button><div id="card"></div><div id="bank"></div></main>
<script src="${SERVICE_URL}/sdk/latest/widget.umd.min.js"></script><script src="/page.js"></script></body></html>`

/** The page's own icon, for which a browser asks now and then, is no violation of ours. */
const SCRIPT = `
const violations = [], heard = [], tokens = []
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  if (!blockedURI.endsWith('/favicon.ico')) violations.push(violatedDirective + ' ' + blockedURI)
})
const showCard = (key) => {
  const widget = new svc.HtmlWidget('#card', key).useAutoResize()
  widget.on('finish', ({ payment_source }) => tokens.push(payment_source))
  return widget.load()
}
const inDialog = (authentication) => {
  svc.authenticate(authentication).then((result) => heard.push(result), (error) => heard.push({ error: error.code }))
}
const inElement = (authentication) => {
  const canvas = new svc.Canvas3ds('#bank', authentication)
  for (const name of ['chargeAuthSuccess', 'chargeAuthReject', 'chargeAuthCancelled', 'chargeAuthInfo', 'error'])
    canvas.on(name, ({ event, status, info, error }) => heard.push([event, status ?? info ?? error.code].join(' ')))
  return canvas.load()
}
`

/** The SDK's dialog, or an element of the page. */
export type Where = 'inDialog' | 'inElement'

/** A merchant's page under a strict policy, with the step of a card holder's bank, and what its server does. */
export class BankStepPage {
  readonly page: Page
  readonly step: FrameLocator
  readonly bank: FrameLocator
  readonly code: Locator
  readonly cancel: Locator

  constructor(page: Page) {
    this.page = page
    this.step = page.frameLocator('iframe[src*="/authentication?"]')
    this.bank = this.step.frameLocator('#bank')
    this.code = this.bank.getByLabel('Code')
    this.cancel = this.step.getByRole('button', { name: 'Cancel payment' })
  }

  /** Serves the page. Returns the stop function. */
  static serve(html = HTML): Promise<() => Promise<void>> {
    return serveMerchantPage({
      files: { '/': html, '/page.js': SCRIPT },
      headers: { 'content-security-policy': STRICT_POLICY },
    })
  }

  async open(): Promise<void> {
    await this.page.goto(PAGE_URL)
  }

  /** Shows the bank's step, in the SDK's dialog or in an element of the page. */
  async show({ _3ds }: Pick<Charge, '_3ds'>, where: Where = 'inDialog'): Promise<void> {
    await this.page.evaluate(`void ${where}(${JSON.stringify(_3ds)})`)
  }

  /** What the page has heard of it. */
  heard(): Promise<unknown[]> {
    return this.page.evaluate<unknown[]>('heard')
  }

  violations(): Promise<string[]> {
    return this.page.evaluate<string[]>('violations')
  }
}

async function post(path: string, headers: Record<string, string>, body: object): Promise<unknown> {
  const answer = await fetch(SERVICE_URL + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${String(answer.status)}: ${text}`)
  return JSON.parse(text)
}
