import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../service/testing/test-service.ts'
import type { TestService } from '../service/testing/test-service.ts'
import { SvcClient } from './svc-client.ts'
import { SvcError } from './svc-error.ts'
import { createFlakyProxy } from './testing/flaky-proxy.ts'
import type { FlakyProxy, Mishap } from './testing/flaky-proxy.ts'

const TRY_TIMEOUT_MS = 800
const LATE_MS = 2000

let service: TestService
let proxy: FlakyProxy
let client: SvcClient
beforeAll(async () => {
  service = await createTestService()
  proxy = await createFlakyProxy(await service.app.listen({ port: 0, host: '127.0.0.1' }), LATE_MS)
  const { secretKey } = service.merchant
  const retries = { tryTimeoutMs: TRY_TIMEOUT_MS, tries: 8 }
  // What the service asks for in seconds takes ms here.
  const wait = (ms: number) => sleep(Math.min(ms, 50))
  client = new SvcClient({ baseUrl: proxy.url, secretKey, retries }, { wait })
})
afterAll(async () => {
  await proxy.close()
  await service.close()
})

const found = async (reference: string) => {
  const ids: string[] = []
  for await (const { _id } of client.charges.list({ reference })) ids.push(_id)
  return ids
}
const newCharge = async (reference: string, amount = '10.00') =>
  ({ amount, currency: 'AUD', token: await service.tokenise(), reference }) as const

describe('between the client and the service', () => {
  it.each<Mishap[]>([
    ['lost request'],
    ['lost answer'],
    ['half an answer'],
    ['late answer'],
    ['bad gateway'],
    ['lost request', 'lost answer', 'bad gateway', 'half an answer', 'late answer'],
  ])('%s (%s …): one charge all the same', async (...mishaps) => {
    const reference = crypto.randomUUID()
    proxy.counts.received = 0
    proxy.next(...mishaps)
    const charge = await client.charges.create({ ...(await newCharge(reference)), capture: false })
    expect(proxy.counts.received).toBe(mishaps.length + 1)
    expect(await found(reference)).toEqual([charge._id])
    proxy.next(...mishaps)
    const captured = await client.charges.capture(charge._id, { amount: '4.00' })
    proxy.next(...mishaps)
    const refunded = await client.charges.refund(charge._id, { amount: '1.00' })
    expect(captured.transactions.map(({ type }) => type)).toEqual(['sale', 'capture'])
    expect(refunded.transactions.map(({ type }) => type)).toEqual(['sale', 'capture', 'refund'])
  })

  it('a network that stays away: an error by which the call can be made again', async () => {
    proxy.next(...Array.from({ length: 8 }, () => 'lost answer' as const))
    const charge = await newCharge('stays away')
    const error: unknown = await client.charges.create(charge).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'SvcError', code: 'no_answer', status: null, retryable: true })
    const { idempotencyKey } = error instanceof SvcError ? error : {}
    const again = await client.charges.create(charge, { idempotencyKey: idempotencyKey ?? '' })
    expect(await found('stays away')).toEqual([again._id])
  })
})

describe('between the service and the gateway', () => {
  it('an answer that is lost there is waited for: one charge', async () => {
    // .68: it is done, and no answer comes
    const charge = await client.charges.create(await newCharge('unknown outcome', '9000.68'))
    expect(charge).toMatchObject({ status: 'complete', amount: 9000.68 })
    expect(await found('unknown outcome')).toEqual([charge._id])
  })

  it('a request that was lost there is told to have failed, and is not tried again', async () => {
    // .69: it is lost on the way, which the service learns when it asks
    const call = client.charges.create(await newCharge('lost there', '9000.69'))
    const failed = { code: 'gateway_unavailable', retryable: false, charge: { status: 'failed' } }
    await expect(call).rejects.toMatchObject(failed)
    expect(await found('lost there')).toHaveLength(1)
  })

  it('a capture that was lost there is sent again under its key, and can be made after that', async () => {
    const { _id } = await client.charges.create({
      ...(await newCharge('capture lost', '9500.00')),
      capture: false,
    })
    // Each other try learns that the one before was lost, and the next is carried out anew.
    const lost: unknown = await client.charges
      .capture(_id, { amount: '9000.69' })
      .catch((thrown: unknown) => thrown)
    expect(lost).toMatchObject({ retryable: true })
    const { transactions } = await client.charges.retrieve(_id)
    expect(transactions.filter(({ type }) => type === 'capture').length).toBeGreaterThan(1)
    expect(await client.charges.capture(_id, { amount: '9000.00' })).toMatchObject({ status: 'complete' })
  })

  it('a gateway that is away is asked again with the same token, and nothing is taken', async () => {
    const error: unknown = await client.charges
      .create(await newCharge('away', '9000.91'))
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'gateway_unavailable',
      retryable: true,
      charge: { status: 'failed' },
    })
    const kept: string[] = []
    for await (const { status } of client.charges.list({ reference: 'away' })) kept.push(status)
    expect(kept).toEqual(Array.from({ length: 8 }, () => 'failed'))
  })
})
