import { test as base } from '@playwright/test'
import type { Page } from '@playwright/test'
import { PAGE_URL, SERVICE_URL } from '../world/addresses.ts'
import { demoKeys, serveMerchantPage, widgetScript } from '../world/merchant-page.ts'
import { CardForm } from './card-form.ts'

/** The part of an event that tests read. */
interface SeenEvent {
  event: string
  payment_source?: string
  invalid_fields?: string[]
  error?: { code: string; message: string; retryable?: boolean }
}

interface PageOptions {
  /** Lines of the page's script between the widget's construction and `load()`. */
  script?: string
  /** Where the form goes; its id is `card`. */
  container?: string
  /** A form in the page, with an input for the token. */
  form?: string
  /** Lines of the page's style sheet. */
  style?: string
  key?: string
  until?: 'load' | 'domcontentloaded'
}

/** A merchant's page with the widget in it, and what a merchant's developer does there. */
export class CardPage {
  readonly page: Page
  readonly form: CardForm
  #end: (() => Promise<void>) | undefined

  constructor(page: Page) {
    this.page = page
    this.form = new CardForm(page)
  }

  async open(options: PageOptions = {}): Promise<void> {
    const { container = '<div id="card"></div>', until = 'load', key = demoKeys().public_key } = options
    const { form = '<form><input name="payment_source" aria-label="token"></form>', style = '' } = options
    await this.serve({
      '/': `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A merchant</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.js"><style>${style}</style></head>
<body><main><h1>Your order</h1>${container}${form}</main>
<script src="${SERVICE_URL}/sdk/latest/widget.umd.min.js"></script><script src="/page.js"></script></body></html>`,
      '/page.js': widgetScript(key, options.script),
    })
    await this.page.goto(PAGE_URL, { waitUntil: until })
  }

  async serve(files: Readonly<Record<string, string>>): Promise<void> {
    this.#end = await serveMerchantPage({ files })
  }

  /** Ends the merchant's server; the page can be opened anew then. */
  async close(): Promise<void> {
    await this.#end?.()
    this.#end = undefined
  }

  /** Runs code in the page, such as `widget.clear()`. */
  async act(code: string): Promise<void> {
    await this.page.evaluate(`void (${code})`)
  }

  /** The value of code in the page; a promise is awaited. */
  ask<Answer>(code: string): Promise<Answer> {
    return this.page.evaluate<Answer>(code)
  }

  /** The events that the page has received, all or those with one name. */
  async events(name?: string): Promise<SeenEvent[]> {
    const heard = await this.ask<SeenEvent[]>('events')
    return heard.filter(({ event }) => name === undefined || event === name)
  }

  get token() {
    return this.page.getByLabel('token')
  }
}

/** Playwright's `test` with a merchant's page, which is closed at the end. */
export const test = base.extend<{ card: CardPage }>({
  card: async ({ page }, use) => {
    const card = new CardPage(page)
    await use(card)
    await card.close()
  },
})

/** A one-time token. */
export const TOKEN = /^[0-9a-f-]{36}$/
