import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createShopServer } from './shop-server.ts'

const keys = {
  service_url: 'http://localhost:3',
  shop_url: 'http://localhost:2',
  public_key: 'pk_"<1>',
  secret_key: 'sk_secret',
  gateway_id: 'gw_1',
}
const ID = '0123456789abcdef01234567'

async function shop(given: object | null = keys) {
  const folder = mkdtempSync(join(tmpdir(), 'shop-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'demo.json')
  if (given) writeFileSync(file, JSON.stringify(given))
  return { file, app: await createShopServer(file) }
}
const order = {
  checkout: 'c4d6f6a0-2f3a-4c35-8a5e-0d9d1f1c7b11',
  item: 'dusk-lamp',
  quantity: '1',
  payment_source: '0b0a4d0e-6f0b-4b43-9d3b-0e1c6f7e2a11',
}

describe('the pages', () => {
  it.each([
    ...['/', '/checkout', '/orders/MF-1', '/back-office', '/test-cards', '/playground', '/nowhere'],
    ...['/subscribe', `/subscriptions/${ID}`, '/back-office/subscriptions', '/test-payers', `/bank/${ID}`],
  ])('%s is a whole document under a strict policy, and never contains the secret key', async (url) => {
    const { app } = await shop()
    const { body, headers } = await app.inject({ url })
    expect(body).toMatch(/^<!doctype html>.*<\/html>\s*$/s)
    expect(body).not.toContain('sk_secret')
    expect(body).not.toMatch(/<style|style=|<script(?![^>]*src=)|\{\{/)
    expect(headers['content-security-policy']).toContain(
      "default-src 'none'; script-src 'self' http://localhost:3;",
    )
  })

  it('escapes values as text', async () => {
    const { body } = await (await shop()).app.inject({ url: '/checkout?quantity=3' })
    expect(body).toContain('data-public-key="pk_&quot;&lt;1&gt;"')
    expect(body).toContain('A$387.00')
  })

  it('writes the PayID of a link into the form as text', async () => {
    const { body } = await (await shop()).app.inject({ url: '/subscribe?pay_id=%22%3E%3Cb%3E' })
    expect(body).toContain('value="&quot;&gt;&lt;b&gt;"')
  })

  it.each(['99', '0', '-1', '1.5', '0x5', '1e1', 'many'])('treat a quantity of %s as 1', async (quantity) => {
    const { body } = await (await shop()).app.inject({ url: `/checkout?quantity=${quantity}` })
    expect(body).toContain('data-total="A$129.00"')
  })

  it('say so while there are no keys, and use the keys once there are', async () => {
    const { app, file } = await shop(null)
    expect((await app.inject({ url: '/checkout' })).body).toContain('has not given this shop its keys')
    writeFileSync(file, JSON.stringify(keys))
    expect((await app.inject({ url: '/checkout' })).statusCode).toBe(200)
    writeFileSync(file, JSON.stringify({ ...keys, public_key: 'pk_new' }))
    utimesSync(file, new Date(), new Date(Date.now() + 5_000))
    expect((await app.inject({ url: '/checkout' })).body).toContain('pk_new')
  })
})

describe('a name that is not the shop’s own', () => {
  it.each(['evil.example', 'localhost.evil.example', 'evil.example:8090'])(
    '%s is given nothing',
    async (host) => {
      const { app } = await shop()
      for (const url of ['/', '/api/charges']) {
        expect((await app.inject({ url, headers: { host } })).statusCode).toBe(421)
      }
    },
  )
})

describe('a request that changes something', () => {
  const paths = [
    '/api/orders',
    `/api/charges/${ID}/capture`,
    `/api/charges/${ID}/refund`,
    `/api/charges/${ID}/cancel`,
    '/api/subscriptions',
    `/api/subscriptions/${ID}/payments`,
    `/api/subscriptions/${ID}/actions`,
    `/api/subscriptions/${ID}/price`,
    `/api/bank/${ID}/answers`,
  ]

  it.each(paths)('to %s is accepted from the shop’s own pages only', async (url) => {
    const { app } = await shop()
    const from = (origin?: string) => ({ host: 'localhost:8090', ...(origin && { origin }) })
    for (const origin of [
      undefined,
      'https://evil.example',
      'null',
      'http://localhost:8090.evil.example',
      'http://localhost:8080',
    ]) {
      const { statusCode } = await app.inject({ method: 'POST', url, headers: from(origin), payload: {} })
      expect(statusCode).toBe(403)
    }
    const own = await app.inject({ method: 'POST', url, headers: from('http://localhost:8090'), payload: {} })
    expect(own.statusCode).not.toBe(403)
  })

  it.each([{}, { ...order, item: 'gold' }, { ...order, quantity: '99' }, { ...order, payment_source: 'x' }])(
    'an order of %j is refused before anybody is asked',
    async (payload) => {
      const { app } = await shop()
      const headers = { host: 'localhost:8090', origin: 'http://localhost:8090' }
      const { statusCode } = await app.inject({ method: 'POST', url: '/api/orders', headers, payload })
      expect(statusCode).toBe(400)
    },
  )

  it('says that nothing was charged when the card service can’t be reached', async () => {
    const { app } = await shop()
    const headers = { host: 'localhost:8090', origin: 'http://localhost:8090' }
    const answer = await app.inject({ method: 'POST', url: '/api/orders', headers, payload: order })
    expect(answer.body).toMatch(/"placed":false.*Nothing was charged/)
  })
})
