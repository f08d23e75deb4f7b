import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TemplateResource } from '../../../../contract/api/checkouts/checkout-template.ts'
import { sendWithKeys } from '../../../testing/charge-calls.ts'
import { storedRows } from '../../../testing/stored-rows.ts'
import { testCard } from '../../../testing/test-card.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'

let service: TestService
let send: ReturnType<typeof sendWithKeys>
let token: string
let chargeId: string
let templateId: string
beforeAll(async () => {
  service = await createTestService()
  send = sendWithKeys(service)
  token = await service.tokenise()
  chargeId = (await service.authorise())._id
  await send('POST', `/v1/charges/${chargeId}/capture`)
  const payload = { version: 1, content: {} }
  const made = await send('POST', '/v1/checkouts/templates?type=customisation', payload)
  templateId = v.parse(TemplateResource, made.body.resource.data)._id
})
afterAll(() => service.close())

/** What a request with a card number comes to: 400, with nothing kept, and the number neither answered nor logged. */
async function expectRefused(request: () => ReturnType<typeof send>, pasted: string, path?: string) {
  const before = await storedRows(service.database)
  const answer = await request()
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } })
  if (path !== undefined) expect(answer.body.error?.details?.map((detail) => detail.path)).toEqual([path])
  expect(JSON.stringify(answer.body) + service.logged()).not.toContain(pasted)
  expect(await storedRows(service.database)).toEqual(before)
}

const card = () => ({ ...testCard })
const charge = () => ({ amount: '10.00', currency: 'AUD', token })
const intent = () => ({ version: 1, amount: '10.00' })
const template = () => ({ version: 1, content: {} })

const pastes = [
  '5111 1111 1111 1118 01/39 100',
  '5111111111111118 100',
  '2 5111111111111118',
  '5111.1111.1111.1118',
  '5111/1111/1111/1118',
  '5111_1111_1111_1118',
  '5111\u00a01111\u00a01111\u00a01118',
  '5111  1111  1111  1118',
  '٥١١١ ١١١١ ١١١١ ١١١٨',
  '५१११ ११११ ११११ १११८',
  '５１１１　１１１１　１１１１　１１１８',
]

describe('a card number that is pasted', () => {
  it.each(pastes)('as %j is refused in a charge, in meta and in the texts of a form', async (pasted) => {
    await expectRefused(
      () => send('POST', '/v1/charges', { ...charge(), reference: pasted }),
      pasted,
      'reference',
    )
    const tokens = '/v1/payment_sources/tokens'
    await expectRefused(() => send('POST', tokens, { ...card(), meta: { a: [pasted] } }), pasted, 'meta.a.0')
    await expectRefused(() => send('POST', tokens, { ...card(), phone: pasted }), pasted, 'phone')
    const texts = { version: 1, content: { texts: { title: pasted } } }
    await expectRefused(
      () => send('PUT', `/v1/checkouts/templates/${templateId}`, texts),
      pasted,
      'content.texts.title',
    )
  })

  const pasted = '5111 1111 1111 1118'
  const address = ['address_line1', 'address_line2', 'city', 'state', 'country']
  const cases: [url: string, body: () => object, path: string, value: unknown][] = [
    ...['card_name', 'first_name', 'last_name', 'address_line1', 'address_line2', 'address_city'].map(
      ofTokens,
    ),
    ...['address_state', 'address_country', 'address_postcode', 'address_company', 'gateway_id'].map(
      ofTokens,
    ),
    ['/v1/payment_sources/tokens', card, 'meta.deep.list', { deep: { list: 5_111_111_111_111_118 } }],
    ['/v1/payment_sources/tokens', card, 'meta.n', { n: 5.111111111111118e15 }],
    ['/v1/payment_sources/tokens', card, 'meta.n', { n: Number('6304900017740292441') }],
    ['/v1/payment_sources/tokens', card, 'meta', { [pasted]: true }],
    ['/v1/payment_sources/tokens', card, 'meta.list.0', { list: [{ [pasted]: pasted }] }],
    ['/v1/payment_sources/tokens', card, 'email', '5111111111111118@example.com'],
    ['/v1/charges', charge, 'reference', pasted],
    ['/v1/charges', charge, 'description', pasted],
    ...['first_name', 'last_name', 'phone'].map(ofCustomer),
    ...[...address, 'postcode'].map(ofPaymentSource),
    ['/v1/charges/ID/refunds', () => ({ amount: '1.00' }), 'reference', pasted],
    ['/v1/checkouts/intent', intent, 'reference', pasted],
    ['/v1/checkouts/intent', intent, 'description', pasted],
    ['/v1/checkouts/intent', intent, 'customer.phone', { phone: pasted }],
    ['/v1/checkouts/intent', intent, 'customer.billing_address.city', { billing_address: { city: pasted } }],
    ['/v1/checkouts/templates?type=customisation', template, 'label', pasted],
    ['/v1/checkouts/templates?type=customisation', template, 'content.styles.x', { styles: { x: pasted } }],
    ['/v1/webhooks', () => ({}), 'url', 'https://example.com/hook/5111-1111-1111-1118'],
    ['/v1/webhooks', () => ({}), 'url', 'https://example.com/?of=5111%201111%201111%201118'],
    ['/v1/webhooks', () => ({}), 'url', 'https://5111111111111118:x@example.com/'],
  ]

  it.each(cases)('is refused by POST %s (%o, %s)', async (url, body, path, value) => {
    const [name = ''] = path.split('.')
    const payload = { ...body(), [name]: value }
    await expectRefused(() => send('POST', url.replace('ID', chargeId), payload), pasted, path)
  })

  it('is refused as an id, a name that is not known, and in the query of a list', async () => {
    await expectRefused(
      () => send('GET', `/v1/charges?reference=${encodeURIComponent(pasted)}`),
      pasted,
      'reference',
    )
    await expectRefused(() => send('GET', `/v1/checkouts?reference=5111111111111118`), '5111111111111118')
    await expectRefused(
      () => send('GET', `/v1/charges?5111111111111118=1`),
      '5111111111111118',
      '[card number]',
    )
    await expectRefused(() => send('GET', `/v1/charges/5111111111111118`), '5111111111111118')
    const unknown = { amount: '1.00', '5111111111111118': 1 }
    await expectRefused(
      () => send('POST', `/v1/charges/${chargeId}/refunds`, unknown),
      '5111111111111118',
      '[card number]',
    )
    const version = { version: 5_111_111_111_111_118, content: {} }
    await expectRefused(
      () => send('POST', '/v1/checkouts/templates?type=customisation', version),
      '5111111111111118',
    )
  })
})

describe('an idempotency key', () => {
  const requests = [
    ['POST', '/v1/charges', charge],
    ['POST', '/v1/charges/ID/refunds', () => ({ amount: '1.00' })],
    ['DELETE', '/v1/charges/ID/capture', () => undefined],
    ['POST', '/v1/checkouts/intent', intent],
    ['POST', '/v1/payment_sources/tokens', card],
  ] as const

  it.each(requests)('that is a card number is refused by %s %s', async (method, url, body) => {
    for (const name of ['idempotency-key', 'x-idempotency-id']) {
      for (const key of ['5111111111111118', 'order-7/5111-1111-1111-1118']) {
        await expectRefused(() => send(method, url.replace('ID', chargeId), body(), { [name]: key }), key)
      }
    }
  })

  it('may be a UUID, whatever its digits', async () => {
    const headers = { 'idempotency-key': '0b8f5111-1111-4111-8111-181111111111' }
    expect((await send('POST', '/v1/checkouts/intent', intent(), headers)).status).toBe(201)
  })
})

it('numbers that are no card numbers are kept', async () => {
  const meta = {
    score: 0.8444218515250481,
    at: 1_795_314_123_456,
    id: '6b014444333322221111aaaa',
    phone: '+61 2 9374 4000',
  }
  const answer = await send('POST', '/v1/payment_sources/tokens', {
    ...card(),
    phone: '+6281233971894',
    meta,
  })
  expect(answer.status).toBe(201)
})

function ofTokens(name: string): [string, () => object, string, unknown] {
  return ['/v1/payment_sources/tokens', card, name, '5111 1111 1111 1118']
}

function ofCustomer(name: string): [string, () => object, string, unknown] {
  return ['/v1/charges', charge, `customer.${name}`, { [name]: '5111 1111 1111 1118' }]
}

function ofPaymentSource(name: string): [string, () => object, string, unknown] {
  const source = { [name]: '5111 1111 1111 1118' }
  return ['/v1/charges', charge, `customer.payment_source.${name}`, { payment_source: source }]
}
