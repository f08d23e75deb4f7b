import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkoutCalls, sessionOf } from '../testing/checkout-calls.ts'
import type { CheckoutCalls } from '../testing/checkout-calls.ts'
import { createTestService } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../testing/webhook-receiver.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const start = Date.now()
/** Moves the date of this process, and of nothing else: durations and the database go on as before. */
const setClock = (aheadMs: number) => vi.setSystemTime(start + aheadMs)

const steps = [-2 * HOUR, -10 * MINUTE, 10 * MINUTE, 2 * HOUR].flatMap((step) => [step, 0])

let service: TestService
let calls: CheckoutCalls
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  setClock(0)
  // Limits as narrow as outside the sandbox, so that one which counts by the date turns callers away.
  const limits = { SVC_RATE_LIMIT_PER_KEY: '20', SVC_RATE_LIMIT_PER_ADDRESS: '40' }
  service = await createTestService({ settings: { ...limits, SVC_RATE_LIMIT_CARDS_PER_ADDRESS: '20' } })
  calls = checkoutCalls(service)
})
beforeEach(() => setClock(0))
afterEach(() => setClock(0))
afterAll(async () => {
  vi.useRealTimers()
  await service.close()
})

describe('when the clock of the service’s machine steps, and back', () => {
  it('nobody is turned away', async () => {
    for (const step of steps) {
      setClock(step)
      const charge = await service.authorise()
      expect(charge.status).toBe('pending')
    }
  })

  it('a checkout’s token stays good for as long as the database says', async () => {
    const { token } = await calls.make()
    for (const step of steps) {
      setClock(step)
      expect(sessionOf(await calls.session(token)).status).toBe('active')
      expect(await calls.tokenise(token)).toBeTypeOf('string')
    }
    expect((await calls.pay(token, await service.tokenise())).status).toBe(201)
  })

  it('a webhook bears the time of the database', async () => {
    const receiver = await createWebhookReceiver()
    await makeWebhook(service, { url: receiver.url })
    for (const step of steps) {
      setClock(step)
      await service.authorise()
      await sendWebhooks(service)
    }
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(steps.length))
    for (const { headers } of receiver.received) {
      const late = Number(headers['webhook-timestamp']) * SECOND - start
      expect(Math.abs(late)).toBeLessThan(5 * MINUTE)
    }
    await receiver.close()
  })

  it('a card is judged by the date of the database', async () => {
    setClock(30 * 365 * 24 * HOUR)
    expect(await service.tokenise()).toBeTypeOf('string')
  })

  it('ids go on as they were', async () => {
    setClock(-24 * HOUR)
    const { _id } = await service.authorise()
    expect(Math.abs(parseInt(_id.slice(0, 8), 16) * SECOND - start)).toBeLessThan(5 * MINUTE)
  })
})
