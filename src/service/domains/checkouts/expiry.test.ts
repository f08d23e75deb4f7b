import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkoutCalls, sessionOf } from '../../testing/checkout-calls.ts'
import type { CheckoutCalls } from '../../testing/checkout-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'

let service: TestService
let calls: CheckoutCalls
beforeAll(async () => {
  service = await createTestService()
  calls = checkoutCalls(service)
})
afterAll(() => service.close())

describe('the end of the time', () => {
  it('ends the checkout by the database’s clock, before and after the job', async () => {
    const { _id, token } = await calls.make()
    const source = await calls.tokenise(token)
    await calls.endTime(_id)
    for (let rounds = 0; rounds < 2; rounds += 1) {
      expect(await calls.pay(token, source)).toMatchObject({
        status: 422,
        body: { error: { code: 'checkout_expired' } },
      })
      expect(sessionOf(await calls.session(token)).status).toBe('expired')
      expect((await calls.read(_id)).status).toBe('expired')
      await service.runJob('expire checkouts')
    }
    expect(await calls.stepsOf(_id)).toEqual(['created', 'expired'])
  })

  it('and a payment at once: it is one or the other', async () => {
    const ends = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        const { _id, token } = await calls.make()
        const source = await calls.tokenise(token)
        const [paid] = await Promise.all([
          calls.pay(token, source),
          calls
            .endTime(_id)
            .then(() => service.runJob(i % 2 === 0 ? 'expire checkouts' : 'sync checkouts with charges')),
        ])
        await service.runJob('expire checkouts')
        return [paid.status, (await calls.read(_id)).status]
      }),
    )
    for (const [paid, status] of ends) expect(status).toBe(paid === 201 ? 'completed' : 'expired')
  })

  it('tokenises no more', async () => {
    const { _id, token } = await calls.make()
    await calls.endTime(_id)
    await expect(calls.tokenise(token)).rejects.toThrow()
  })
})
