import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

const secret = () => ({ 'x-user-secret-key': service.merchant.secretKey })
const faultOf = async (request: InjectOptions) => (await service.call(request)).body.error

it('a method that is not possible is named, with those that are', async () => {
  const url = `/v1/webhooks/${'a'.repeat(24)}`
  const error = await faultOf({ method: 'PUT', url, headers: secret() })
  expect(error?.message).toMatch(/^PUT is not possible here\. Possible: DELETE(?:, \w+)*\.$/)
})

it('a public key in the place of a secret one is told from a wrong one, and the other way round', async () => {
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
    /^"charge\.capture" is no event\. Those that begin with "charge\." are: authorised, captured, .*refund_failed$/,
  ],
  [
    'agreement.accept',
    /^"agreement\.accept" is no event\. Those that begin with "agreement\." are: created, /,
  ],
  [
    'order.paid',
    /^"order\.paid" is no event\. Events begin with charge\., checkout\., agreement\. or payment\./,
  ],
  [7, /^must be text$/],
])('the unknown event %j is answered with those of its kind', async (event, words) => {
  const payload = { url: 'https://example.com/hooks', events: [event] }
  const error = await faultOf({ method: 'POST', url: '/v1/webhooks', headers: secret(), payload })
  expect(error?.details?.map(({ path }) => path)).toEqual(['events.0'])
  expect(error?.details?.[0]?.message).toMatch(words)
})
