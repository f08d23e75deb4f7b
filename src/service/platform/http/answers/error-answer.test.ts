import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { answeredError } from './error-answer.ts'

const MAX_BYTES = 16 * 1024

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

const list = Array.from({ length: 29_000 }, () => 1)
const manyNames = Object.fromEntries(Array.from({ length: 4000 }, (_, n) => [`name_${n}`, 1]))
const longName = { ['\u0001'.repeat(10_000)]: 1 }
const deep = { a: { ['é'.repeat(20_000)]: { b: '5111111111111118' } } }
/** What each route knows, with a wrong value in the place of every right one. */
const names = [
  [
    'events',
    'url',
    'amount',
    'currency',
    'token',
    'reference',
    'description',
    'customer',
    'meta',
    'card_number',
  ],
  [
    'version',
    'label',
    'content',
    'configuration',
    'customisation',
    'payment_source',
    'type',
    'phone',
    'email',
  ],
].flat()
const everywhere = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]))
const numbers = Object.fromEntries(
  Array.from({ length: 1500 }, (_, n) => [`${'k'.repeat(9)}${n}`, '5111 1111 1111 1118']),
)
const card = {
  type: 'card',
  card_number: '5111111111111118',
  expire_month: 1,
  expire_year: 39,
  card_ccv: '100',
}

const bodies: [string, object][] = [
  ['a long list of wrong values', { ...everywhere(1), events: list }],
  ['lists for all', everywhere(list.slice(0, 1400))],
  ['many unknown names', manyNames],
  [
    'many unknown names below each',
    { ...everywhere({ a: 1, b: 1 }), content: manyNames, customer: manyNames },
  ],
  ['a very long name', { ...longName, content: longName }],
  [
    'many fields and schemes',
    { version: 1, content: { fields: list.slice(0, 20_000), schemes: list.slice(0, 5000) } },
  ],
  ['many card numbers', { ...card, version: 1, meta: numbers, content: numbers }],
  ['a card number below a long name', { ...card, version: 1, meta: deep, content: deep }],
]

describe.each(bodies)('%s', (_, payload) => {
  it('is answered by every route with 16 kB at most', async () => {
    const routes = service.routes.filter(({ method }) => ['POST', 'PUT', 'DELETE'].includes(method))
    expect(routes.length).toBeGreaterThan(8)
    for (const { method, path } of routes) {
      const url = path.replaceAll(/\{\w+\}/g, '6b01799184f819f4cecbe1a7')
      const answer = await service.raw({
        method,
        url: url.endsWith('/templates') ? `${url}?type=customisation` : url,
        headers: {
          'x-user-secret-key': service.merchant.secretKey,
          'x-user-public-key': service.merchant.publicKey,
        },
        payload,
      })
      expect(answer.statusCode).toBeGreaterThanOrEqual(400)
      expect(Buffer.byteLength(answer.body)).toBeLessThan(MAX_BYTES)
    }
  })
})

it('says how many faults it does not name', async () => {
  const { body } = await service.call({
    method: 'POST',
    url: '/v1/webhooks',
    headers: { 'x-user-secret-key': service.merchant.secretKey },
    payload: { url: 'https://example.com', events: list },
  })
  expect(body.error?.details).toHaveLength(17)
  expect(body.error?.details?.[0]?.path).toBe('events.0')
  expect(body.error?.details?.at(-1)).toEqual({ path: '', message: 'and 28984 more' })
})

it('the longest of all errors is below 16 kB, and is well-formed', () => {
  for (const mark of ['a', '"', 'é', '語', '😀', '\u0000', '\ud800', '\u2028']) {
    const text = mark.repeat(40_000)
    const details = Array.from({ length: 5000 }, () => ({ path: text, message: text }))
    const json = JSON.stringify(answeredError({ code: 'validation_error', message: text, details }))
    expect(Buffer.byteLength(json)).toBeLessThan(MAX_BYTES - 1024)
    expect(json).not.toMatch(/\\ud[89a-f]/i)
  }
})

it('a long name costs no more than what is shown of it', () => {
  const path = '\\u0034'.repeat(10_300)
  const details = [{ path, message: 'is not known here' }]
  const begun = process.cpuUsage()
  for (let times = 0; times < 20; times += 1)
    answeredError({ code: 'validation_error', message: 'is not valid', details })
  const { user, system } = process.cpuUsage(begun)
  expect((user + system) / 1000 / 20).toBeLessThan(3)
})

it('a card number is not repeated', () => {
  const holder = '4012 0000 3333 0026'
  const details = [{ path: `a.${holder}`, message: `must not be ${holder}` }]
  expect(JSON.stringify(answeredError({ code: 'validation_error', message: holder, details }))).not.toContain(
    '0026',
  )
})

const secret = () => ({ 'x-user-secret-key': service.merchant.secretKey })
const faultOf = async (request: InjectOptions) => (await service.call(request)).body.error

it('a method that is not possible is named, with those that are', async () => {
  const url = `/v1/webhooks/${'a'.repeat(24)}`
  const error = await faultOf({ method: 'PUT', url, headers: secret() })
  expect(error?.message).toMatch(/^PUT is not possible here\. Possible: DELETE(?:, \w+)*\.$/)
})

it('a public key in place of a secret one is told from a wrong one, and the reverse', async () => {
  const { publicKey, secretKey } = service.merchant
  const asServer = await faultOf({ url: '/v1/charges', headers: { 'x-user-secret-key': publicKey } })
  expect(asServer?.message).toBe('That is a public key; send the sk_… key.')
  const asPage = await faultOf({
    method: 'POST',
    url: '/v1/payment_sources/tokens',
    headers: { 'x-user-public-key': secretKey },
    payload: {},
  })
  expect(asPage?.message).toMatch(/^That is a secret key; send the pk_… key\./)
  const wrong = await faultOf({ url: '/v1/charges', headers: { 'x-user-secret-key': 'sk_sandbox_wrong' } })
  expect(wrong?.message).toBe('The key in x-user-secret-key is not a valid secret key.')
})

it.each([
  [
    'charge.capture',
    /^"charge\.capture" is no event\. Those that begin with "charge\." are: authorised, captured, .*refund_failed, authent…$/,
  ],
  [
    'agreement.accept',
    /^"agreement\.accept" is no event\. Those that begin with "agreement\." are: created, /,
  ],
  [
    'order.paid',
    /^"order\.paid" is no event\. Events begin with charge\., dispute\., checkout\., agreement\. or payment\./,
  ],
  [7, /^must be text$/],
])('the unknown event %j is answered with those of its kind', async (event, words) => {
  const payload = { url: 'https://example.com/hooks', events: [event] }
  const error = await faultOf({ method: 'POST', url: '/v1/webhooks', headers: secret(), payload })
  expect(error?.details?.map(({ path }) => path)).toEqual(['events.0'])
  expect(error?.details?.[0]?.message).toMatch(words)
})
