import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import type { BrowserContext, Page } from '@playwright/test'
import * as v from 'valibot'
import { secretTraceIn } from '../src/service/testing/traces.ts'
import { SPELLINGS, SPELLINGS_OF_TOKENS } from '../src/service/testing/spellings.ts'
import { test as checkoutTest } from './pages/checkout-page.ts'
import { demoKeys } from './world/merchant-page.ts'
import { GOOD_CARD } from './pages/card-form.ts'
import { Shop } from './pages/shop.ts'
import { everythingInTheDatabase } from './world/database.ts'
import { LOG_FILE } from './world/paths.ts'

// A code that appears nowhere by chance but in the log's durations: where else it is found, it was written.
const CARD = { ...GOOD_CARD, number: '4012000033330026', code: '739' }
const secrets = [CARD.number, '4012 0000 3333 0026', '4012-0000-3333-0026']
const codes = [`"${CARD.code}"`, `:${CARD.code}`, `=${CARD.code}`, ` ${CARD.code} `]

/** Every message that any frame sends or gets, by its window or by a port. */
async function recordMessages(context: BrowserContext): Promise<string[]> {
  const messages: string[] = []
  await context.exposeBinding('note', (_source, text: unknown) => messages.push(String(text)))
  await context.addInitScript(() => {
    const note = (data: unknown) => {
      const send: unknown = Reflect.get(window, 'note')
      if (typeof send === 'function') Reflect.apply(send, window, [JSON.stringify(data)])
    }
    window.addEventListener('message', ({ data }) => note(data))
    const post: unknown = Reflect.get(MessagePort.prototype, 'postMessage')
    const incoming = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage')
    if (typeof post !== 'function' || incoming === undefined) throw new Error('no ports to listen to')
    Reflect.set(MessagePort.prototype, 'postMessage', function (this: MessagePort, ...sent: unknown[]) {
      note(sent[0])
      Reflect.apply(post, this, sent)
    })
    const set: unknown = Reflect.get(incoming, 'set')
    if (typeof set !== 'function') throw new Error('no ports to listen to')
    Object.defineProperty(MessagePort.prototype, 'onmessage', {
      ...incoming,
      set(this: MessagePort, listener: unknown) {
        this.addEventListener('message', ({ data }) => note(data))
        Reflect.apply(set, this, [listener])
      },
    })
  })
  return messages
}

test('the card number and code are in the one request to tokenise and nowhere else', async ({
  page,
  context,
}) => {
  const requests: { url: string; body: string; headers: string }[] = []
  const answers: string[] = []
  page.on('request', (request) => {
    const headers = JSON.stringify(request.headers())
    requests.push({ url: request.url(), body: request.postData() ?? '', headers })
  })
  page.on('response', async (response) => {
    answers.push(await response.text().catch(() => ''))
  })
  const messages = await recordMessages(context)

  const shop = new Shop(page)
  await shop.goToCheckout()
  await shop.form.type(CARD)
  await shop.form.submit.click()
  await page.waitForURL(/\/orders\//)

  const holding = (text: string) => secrets.some((secret) => text.includes(secret))
  const carriers = requests.filter(({ url, body, headers }) => holding(url + body + headers))
  expect(carriers.map(({ url }) => new URL(url).pathname)).toEqual(['/v1/payment_sources/tokens'])
  const coded = requests.filter(({ url, body }) => codes.some((code) => (url + body).includes(code)))
  expect(coded.map(({ url }) => new URL(url).pathname)).toEqual(['/v1/payment_sources/tokens'])

  expect(messages.join()).toContain('finish')
  const log = readFileSync(LOG_FILE, 'utf8').replaceAll(/"ms":\d+/g, '')
  expect(log).toContain('/v1/payment_sources/tokens')
  const database = await everythingInTheDatabase()
  expect(database).toContain('40120000')
  for (const [place, text] of Object.entries({
    messages: messages.join('\n'),
    log,
    database,
    answers: answers.join('\n'),
  })) {
    for (const secret of [...secrets, ...codes, Buffer.from(CARD.number).toString('hex')]) {
      expect(text.includes(secret), `${secret} in ${place}`).toBe(false)
    }
  }
})

/** The address, and `Referer`, of every request that a page makes from now on: what proxies and servers write into their logs. */
function recordAddresses(page: Page): string[] {
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url(), request.headers()['referer'] ?? ''))
  return addresses
}

const isUuid = /^[\da-f-]{36}$/

/** A secret in no address, log or table, however it is written. */
async function expectKeptNowhere(secrets: readonly string[], addresses: readonly string[]): Promise<void> {
  const places = {
    addresses: addresses.join('\n'),
    log: readFileSync(LOG_FILE, 'utf8'),
    database: await everythingInTheDatabase(),
  }
  for (const [place, text] of Object.entries(places)) {
    expect([place, secretTraceIn(text)]).toEqual([place, null])
    const small = text.toLowerCase()
    for (const secret of secrets)
      for (const [how, spell] of Object.entries(isUuid.test(secret) ? SPELLINGS_OF_TOKENS : SPELLINGS))
        expect([place, how, small.includes(spell(secret).toLowerCase())]).toEqual([place, how, false])
  }
}

const MadeToken = v.object({ resource: v.object({ data: v.string() }) })

test('the one-time token and the keys are in no address, log or table', async ({ page }) => {
  const addresses = recordAddresses(page)
  const tokens: string[] = []
  page.on('response', async (response) => {
    if (!response.url().endsWith('/v1/payment_sources/tokens') || response.status() !== 201) return
    tokens.push(v.parse(MadeToken, await response.json()).resource.data)
  })
  const shop = new Shop(page)
  await shop.order()
  expect(tokens).toHaveLength(1)
  await expectKeptNowhere([...tokens, demoKeys().secret_key], addresses)
})

checkoutTest('the token of a checkout is in no address, log or table', async ({ page, merchant }) => {
  const addresses = recordAddresses(page)
  const { token } = await merchant.intend()
  await merchant.serve(token)
  const form = await merchant.open(page)
  await form.type(CARD)
  await form.submit.click()
  await expect.poll(() => merchant.heardBy(page)).toMatchObject([{ name: 'successful' }])
  await expectKeptNowhere([token], addresses)
})

test("the frame's address holds the key, the gateway and a language, nothing of a person", async ({
  page,
}) => {
  const shop = new Shop(page)
  await shop.goToCheckout()
  const [frame] = page.frames().filter((one) => one.url().includes('/frame?'))
  expect([...new URL(frame?.url() ?? '').searchParams.keys()].sort()).toEqual([
    'gateway_id',
    'language',
    'public_key',
  ])
})
