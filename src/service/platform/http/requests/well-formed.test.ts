import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCard } from '../../../testing/test-card.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

const secret = () => ({ 'x-user-secret-key': service.merchant.secretKey })
const broken = ['\u0000', 'a\u0000b', '\ud800', '\udc00x']
const intent = (content: object) => ({ amount: '10.00', currency: 'AUD', version: 1, ...content })

describe('text that PostgreSQL cannot store', () => {
  it.each(broken)('%j is refused in every body, wherever it stands', async (text) => {
    const token = await service.tokenise()
    const sale = { amount: '10.00', currency: 'AUD', token }
    const posts: [string, object][] = [
      ['/v1/charges', { ...sale, reference: text }],
      ['/v1/charges', { ...sale, description: `x${text}` }],
      ['/v1/charges', { ...sale, token: text }],
      ['/v1/charges', { ...sale, customer: { payment_source: { address_city: text } } }],
      ['/v1/charges', { ...sale, [text]: 'x' }],
      ['/v1/charges/6b0179918a1c5e0b3d2f4a60/refunds', { reference: text }],
      ['/v1/webhooks', { url: `https://example.com/${text}` }],
      ['/v1/checkouts/intent', intent({ reference: text })],
      ['/v1/checkouts/intent', intent({ customer: { meta: { a: text } } })],
      ['/v1/checkouts/templates', { type: 'configuration', label: text, content: { a: [text] } }],
    ]
    for (const [url, payload] of posts) {
      const answer = await service.raw({ method: 'POST', url, headers: secret(), payload })
      expect([url, answer.statusCode]).toEqual([url, 400])
      expect(answer.json()).toMatchObject({
        error: { code: 'validation_error', details: [{ message: 'must be well-formed text' }] },
      })
    }
    const tokenise = await service.raw({
      method: 'POST',
      url: '/v1/payment_sources/tokens',
      headers: { 'x-user-public-key': service.merchant.publicKey },
      payload: { ...testCard, card_name: text, meta: { [text]: text } },
    })
    expect(tokenise.statusCode).toBe(400)
  })

  it('names where it stands', async () => {
    const payload = { customer: { payment_source: { address_city: 'a\u0000' } } }
    const { body } = await service.call({ method: 'POST', url: '/v1/charges', headers: secret(), payload })
    expect(body.error?.details).toEqual([
      { path: 'customer.payment_source.address_city', message: 'must be well-formed text' },
    ])
  })

  it.each([
    '/v1/charges?reference=a%00b',
    '/v1/charges?status=%00',
    '/v1/charges?reference=caf%E9',
    '/v1/charges?reference=%F0%9F%98',
    '/v1/charges?reference=%ED%A0%80',
    '/v1/charges?cursor=%00',
    '/v1/charges/%00',
    '/v1/webhooks/%00',
    '/v1/checkouts/intent?reference=%00',
    '/v1/checkouts/intent/%00',
    '/sdk/%00',
    '/%00',
  ])('is refused in the address %s', async (url) => {
    expect((await service.raw({ url, headers: secret() })).statusCode).toBe(400)
  })

  it('is told from the same letters behind a backslash', async () => {
    const payload = {
      amount: '10.00',
      currency: 'AUD',
      token: await service.tokenise(),
      reference: 'a\\u0000\\ud800',
    }
    const { status } = await service.call({ method: 'POST', url: '/v1/charges', headers: secret(), payload })
    expect(status).toBe(201)
  })
})
