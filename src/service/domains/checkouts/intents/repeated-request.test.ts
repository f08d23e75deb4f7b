import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkoutCalls } from '../../../testing/checkout-calls.ts'
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

describe('making a checkout again under the same Idempotency-Key', () => {
  it('is answered the same; with another body it is refused', async () => {
    const key = { 'idempotency-key': 'k1' }
    const request = { version: 1, amount: '5' }
    const answers = await Promise.all([1, 2, 3, 4].map(() => calls.ask(request, key)))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(3)
    expect((await calls.ask({ ...request, amount: '6' }, key)).body.error?.code).toBe(
      'idempotency_key_reused',
    )
  })

  it('is answered the same although its template may no longer be used', async () => {
    const key = { 'idempotency-key': 'k2' }
    const template_id = await calls.makeTemplate('customisation', {})
    const request = { version: 1, amount: '5', customisation: { template_id } }
    const made = await calls.ask(request, key)
    expect(made.status).toBe(201)
    const url = `/v1/checkouts/templates/${template_id}`
    const payload = { version: 2, content: {} }
    expect((await service.call({ method: 'PUT', url, headers: calls.secret(), payload })).status).toBe(200)
    const again = await calls.ask(request, key)
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
    expect(again.body).toEqual(made.body)
    expect((await calls.ask({ ...request, amount: '6' }, key)).body.error?.code).toBe(
      'idempotency_key_reused',
    )
    expect((await calls.ask(request)).body.error?.code).toBe('template_not_found')
  })
})
