import { describe, expect, it } from 'vitest'
import { SvcClient } from '../svc-client.ts'
import { answered, createDoubleService, noAnswer, refused } from '../testing/double-service.ts'
import type { GivenAnswer } from '../testing/double-service.ts'
import { waitBeforeNextTry } from './api.ts'

const charge = { amount: '10.00', currency: 'AUD', token: 't' } as const
const good = answered({ _id: 'a1' }, { status: 201 })
const later = { 'retry-after': '5' }

function start(...answers: readonly [GivenAnswer, ...GivenAnswer[]]) {
  const service = createDoubleService(...answers)
  const options = { baseUrl: 'https://cards.example', secretKey: 'sk_sandbox_a' }
  return { ...service, client: new SvcClient(options, service.runtime) }
}
const keysOf = (sent: ReturnType<typeof start>['sent']) =>
  sent.map(({ headers }) => headers.get('idempotency-key'))

describe('a call is sent again', () => {
  it.each<[string, GivenAnswer, number]>([
    ['no answer', noAnswer, 500],
    ['another request at work (409)', refused(409, 'request_in_progress', later), 5500],
    ['too many requests (429)', refused(429, 'rate_limited', later), 5500],
    ['a fault of the service (500)', refused(500, 'system_error'), 500],
    ['a gateway that was not reached', refused(503, 'gateway_unavailable', later), 5500],
    ['an unknown outcome', refused(503, 'outcome_unknown', later), 5500],
    ['maintenance', refused(503, 'service_unavailable', later), 5500],
    ['a proxy without the service (502)', () => new Response('<h1>', { status: 502 }), 500],
    ['a proxy that times out (504)', () => new Response('', { status: 504 }), 500],
    ['half an answer', () => new Response('{"status":201,', { status: 503 }), 500],
  ])('after %s, under the same key', async (_, failure, wait) => {
    const { client, sent, waits } = start(failure, failure, good)
    expect(await client.charges.create(charge)).toEqual({ _id: 'a1' })
    expect(keysOf(sent)).toEqual(['key-0', 'key-0', 'key-0'])
    expect(sent.map(({ body }) => body)).toEqual([charge, charge, charge])
    expect(waits).toEqual([wait, wait === 500 ? 1000 : 6000])
  })

  it('under the key that it is given; and each call has another one', async () => {
    const { client, sent } = start(noAnswer, good)
    await client.charges.create(charge, { idempotencyKey: 'order-1' })
    await client.charges.capture('a1')
    await client.charges.cancel('a1')
    await client.charges.retrieve('a1')
    expect(keysOf(sent)).toEqual(['order-1', 'order-1', 'key-2', 'key-3', null])
  })
})

describe('a call is not sent again', () => {
  it.each<[string, GivenAnswer]>([
    ['a fault of the request', refused(400, 'validation_error')],
    ['a token that is used up', refused(400, 'token_not_found')],
    ['a wrong key', refused(401, 'unauthorized')],
    ['an id that is not there', refused(404, 'not_found')],
    ['an amendment that waits for the payer', refused(409, 'amendment_pending')],
    ['a decline', refused(422, 'transaction_declined')],
    ['another request under the key', refused(422, 'idempotency_key_reused')],
    ['an unknown outcome that nobody will learn', refused(503, 'outcome_unknown')],
    [
      'a charge that was lost on the way to the gateway, and is answered so for good',
      refused(503, 'gateway_unavailable', { 'idempotent-replayed': 'true' }),
    ],
    ['a page in place of the service', () => new Response('<h1>', { status: 200 })],
    ['a code of a later version', refused(422, 'from_a_later_version')],
  ])('after %s', async (_, failure) => {
    const { client, sent, waits } = start(failure, good)
    await expect(client.charges.create(charge)).rejects.toMatchObject({ retryable: false })
    expect([sent.length, waits]).toEqual([1, []])
  })

  it('more often than the limit, and tells that another try may succeed', async () => {
    const { client, sent } = start(
      refused(503, 'outcome_unknown', { 'retry-after': '10', 'x-request-id': 'r1' }),
    )
    const call = client.charges.create(charge)
    await expect(call).rejects.toMatchObject({
      code: 'outcome_unknown',
      status: 503,
      requestId: 'r1',
      retryable: true,
      retryAfter: 10,
      idempotencyKey: 'key-0',
    })
    expect(sent).toHaveLength(5)
  })

  it('where the wait would go beyond the deadline', async () => {
    const { client, sent, waits } = start(refused(503, 'service_unavailable', { 'retry-after': '120' }), good)
    await expect(client.charges.create(charge)).rejects.toMatchObject({ retryAfter: 120 })
    expect([sent.length, waits]).toEqual([1, []])
  })

  it('once its caller gave up', async () => {
    const giveUp = new AbortController()
    const { client, sent } = start(() => {
      giveUp.abort(new Error('the shopper left'))
      return Promise.reject(new TypeError('fetch failed'))
    })
    const call = client.charges.create(charge, { signal: giveUp.signal })
    await expect(call).rejects.toThrow('the shopper left')
    expect(sent).toHaveLength(1)
  })
})

describe('the wait before the next try', () => {
  it('doubles up to 8 s, of which a random half is left out', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7].map((tries) => waitBeforeNextTry(tries, null, () => 1))
    expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000])
    expect(waitBeforeNextTry(3, null, () => 0)).toBe(1000)
  })

  it('is never shorter than the service asks for; a date of a proxy is understood', async () => {
    expect(waitBeforeNextTry(1, 7, () => 0)).toBeGreaterThanOrEqual(7000)
    const date = 'Sun, 22 Nov 2026 10:00:00 GMT'
    const headers = { date, 'retry-after': 'Sun, 22 Nov 2026 10:00:03 GMT' }
    const { client, waits } = start(() => new Response('', { status: 503, headers }), good)
    await client.charges.create(charge)
    expect(waits).toEqual([3500])
  })
})
