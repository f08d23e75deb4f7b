import { test as base } from '@playwright/test'
import type { Page } from '@playwright/test'
import * as v from 'valibot'
import { PAGE_URL, SERVICE_URL } from '../world/addresses.ts'
import { demoKeys, serveMerchantPage } from '../world/merchant-page.ts'
import { CardForm } from './card-form.ts'
import { newReference } from '../world/references.ts'

const Made = v.object({
  resource: v.object({ data: v.object({ _id: v.string(), token: v.string() }) }),
})
const MadeTemplate = v.object({ resource: v.object({ data: v.object({ _id: v.string() }) }) })
const Charges = v.object({ resource: v.object({ data: v.array(v.object({ amount: v.number() })) }) })

/** Fields of a test's intent besides its amount, and the contents of templates that are made for it. */
export interface IntentRequest {
  description?: string | undefined
  configuration?: object
  customisation?: object
}

interface Heard {
  name: 'successful' | 'failure' | 'expired'
  said?: { intent_id?: string; charge_id?: string; code?: string }
}

const style = `body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: #fff; color: #1a1a1a }
  main { max-width: 26rem; margin: 0 auto; padding: 1rem }
  @media (prefers-color-scheme: dark) { body { background: #16181d; color: #f2f2f2 } }`

/** A test merchant, whose page shows the whole checkout and whose server makes the intents. */
export class CheckoutPage {
  #end: (() => Promise<void>) | undefined

  /** An intent, as the merchant's server makes one. */
  async intend(
    amount = '49.00',
    reference = newReference('intent'),
    more: IntentRequest = {},
  ): Promise<{ id: string; token: string }> {
    const { configuration, customisation } = more
    const response = await this.#ask('/v1/checkouts/intent', {
      version: 1,
      amount,
      reference,
      ...('description' in more ? { description: more.description } : { description: '1 × Dusk lamp' }),
      ...(configuration && { configuration: await this.#template('configuration', configuration) }),
      ...(customisation && { customisation: await this.#template('customisation', customisation) }),
    })
    const { _id: id, token } = v.parse(Made, response).resource.data
    return { id, token }
  }

  async #template(type: string, content: object): Promise<{ template_id: string }> {
    const answer = await this.#ask(`/v1/checkouts/templates?type=${type}`, { version: 1, content })
    return { template_id: v.parse(MadeTemplate, answer).resource.data._id }
  }

  /** Amounts of the charges with a reference. */
  async chargesOf(reference: string): Promise<number[]> {
    const answer = await this.#ask(`/v1/charges?reference=${encodeURIComponent(reference)}`)
    return v.parse(Charges, answer).resource.data.map(({ amount }) => amount)
  }

  /** Serves a page with a checkout for a token, and what it has below it, until `close`. */
  async serve(token: string, script = '', below = '', headers: Record<string, string> = {}): Promise<void> {
    await this.close()
    this.#end = await serveMerchantPage({
      headers,
      files: {
        '/': `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A merchant</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.js"><style>${style}</style></head>
<body><main><h1>Your order</h1><div id="checkout"></div>
<script src="${SERVICE_URL}/sdk/latest/widget.umd.min.js"></script><script src="/page.js"></script>${below}</main></body></html>`,
        '/page.js': `const heard = []
const checkout = new svc.Checkout('#checkout', '${token}')
  .onPaymentSuccessful((said) => heard.push({ name: 'successful', said }))
  .onPaymentFailure((said) => heard.push({ name: 'failure', said }))
  .onPaymentExpired(() => heard.push({ name: 'expired' }))
${script}`,
      },
    })
  }

  async open(page: Page): Promise<CardForm> {
    await page.goto(PAGE_URL)
    return new CardForm(page)
  }

  /** What the page's callbacks were told. */
  heardBy(page: Page): Promise<Heard[]> {
    return page.evaluate<Heard[]>('heard')
  }

  async close(): Promise<void> {
    await this.#end?.()
    this.#end = undefined
  }

  async #ask(path: string, body?: object): Promise<unknown> {
    const response = await fetch(SERVICE_URL + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        'x-user-secret-key': demoKeys().secret_key,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer
  }
}

/** Playwright's `test` with a merchant whose page shows checkouts; it is taken down at the end. */
export const test = base.extend<{ merchant: CheckoutPage }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures out of the pattern
  merchant: async ({}, use) => {
    const merchant = new CheckoutPage()
    await use(merchant)
    await merchant.close()
  },
})
