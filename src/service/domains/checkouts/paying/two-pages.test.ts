import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkoutCalls, declined, paymentOf, sessionOf } from '../../../testing/checkout-calls.ts'
import type { CheckoutCalls } from '../../../testing/checkout-calls.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'

let service: TestService
let calls: CheckoutCalls
beforeAll(async () => {
  service = await createTestService()
  calls = checkoutCalls(service)
})
afterAll(() => service.close())

describe('two pages of one checkout', () => {
  it('with different cards at once: one charge, and both end in success', async () => {
    const { _id, token } = await calls.make()
    const sources = await Promise.all([1, 2, 3, 4].map(() => calls.tokenise(token)))
    const [first, charges] = await calls.chargesBeside(() =>
      Promise.all(sources.map((one) => calls.pay(token, one))),
    )
    expect(charges).toHaveLength(1)
    expect(first.every(({ status }) => [200, 201, 409].includes(status))).toBe(true)
    expect(first.filter(({ status }) => status === 201)).toHaveLength(1)
    const later = await Promise.all(sources.map((one) => calls.pay(token, one)))
    expect(new Set(later.map((answer) => paymentOf(answer).charge_id)).size).toBe(1)
    expect(later.every(({ status }) => status === 200)).toBe(true)
    expect(await calls.stepsOf(_id)).toEqual(['created', 'payment_tried', 'paid'])
  })

  it('of two processes: one charge too', async () => {
    const others = [service.startAnother(), service.startAnother()]
    for (let round = 0; round < 5; round += 1) {
      const { token } = await calls.make()
      const sources = await Promise.all([1, 2, 3, 4, 5, 6].map(() => calls.tokenise(token)))
      const [, charges] = await calls.chargesBeside(() =>
        Promise.all(sources.map((one, i) => calls.pay(token, one, others[i % 2]))),
      )
      expect(charges).toHaveLength(1)
    }
  })

  it('with one card, pressed twice: one charge', async () => {
    const { token } = await calls.make()
    const source = await calls.tokenise(token)
    const [answers, charges] = await calls.chargesBeside(() =>
      Promise.all(Array.from({ length: 8 }, () => calls.pay(token, source))),
    )
    expect(charges).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 201, 409].includes(status))).toBe(true)
  })

  it('one with a bad card: the other one pays', async () => {
    const { token } = await calls.make()
    const [bad, good] = [await calls.tokenise(token, declined), await calls.tokenise(token)]
    const [answers, charges] = await calls.chargesBeside(() =>
      Promise.all([bad, good, bad, good].map((one) => calls.pay(token, one))),
    )
    await calls.pay(token, good)
    expect(sessionOf(await calls.session(token)).status).toBe('completed')
    expect(charges.filter(({ status }) => status === 'complete').length).toBeLessThanOrEqual(1)
    expect(answers.every(({ status }) => [200, 201, 409, 422].includes(status))).toBe(true)
  })
})
