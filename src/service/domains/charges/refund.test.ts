import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeCalls, chargeOf } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'

let service: TestService
let calls: ChargeCalls
beforeAll(async () => {
  service = await createTestService()
  calls = chargeCalls(service)
})
afterAll(() => service.close())

const captured = async (amount?: string) => {
  const { _id } = await service.authorise()
  await calls.capture(_id, amount === undefined ? undefined : { amount })
  return _id
}

describe('a refund', () => {
  it('of everything leaves the charge refunded', async () => {
    const id = await captured()
    const answer = await calls.refund(id, { reference: 'return 7' })
    expect(answer.status).toBe(201)
    expect(chargeOf(answer)).toMatchObject({
      status: 'refunded',
      capture: true,
      statistics: { total_refunded_amount: 10, full_refund: true },
      transactions: [
        { type: 'sale', status: 'complete' },
        { type: 'capture' },
        { type: 'refund', status: 'complete', amount: 10 },
      ],
      __v: 2,
    })
    expect(await calls.read(id)).toEqual(chargeOf(answer))
  })

  it('can be several, up to what was captured', async () => {
    const id = await captured('8.00')
    expect(chargeOf(await calls.refund(id, { amount: '3' }))).toMatchObject({
      status: 'complete',
      statistics: { total_refunded_amount: 3, full_refund: false },
    })
    expect((await calls.refund(id, { amount: '5.01' })).body.error?.code).toBe('amount_exceeds_captured')
    expect(chargeOf(await calls.refund(id, {}))).toMatchObject({
      status: 'refunded',
      statistics: { total_refunded_amount: 8, full_refund: true },
    })
    expect((await calls.refund(id, { amount: '0.01' })).body.error?.code).toBe('unfulfilled_condition')
  })

  it('of a direct charge gives back the sale', async () => {
    const payload = { amount: 5, currency: 'AUD', token: await service.tokenise() }
    const { _id } = chargeOf(await calls.sell(payload, ''))
    expect(chargeOf(await calls.refund(_id, {}))).toMatchObject({ status: 'refunded' })
  })

  it.each([['amuont'], ['Amount'], ['amounts']])('with %s gives nothing back', async (name) => {
    const id = await captured()
    expect((await calls.refund(id, { [name]: '1' })).status).toBe(400)
    expect((await calls.read(id)).status).toBe('complete')
  })

  it.each([['pending'], ['cancelled'], ['failed']])(
    'of a charge that is %s: 422, unchanged',
    async (status) => {
      const { _id } = await service.authorise({ amount: status === 'failed' ? '9000.51' : '10.00' })
      if (status === 'cancelled') await calls.cancel(_id)
      const before = await calls.read(_id)
      expect(before.status).toBe(status)
      expect((await calls.refund(_id, {})).body.error?.code).toBe('unfulfilled_condition')
      expect(await calls.read(_id)).toEqual(before)
    },
  )

  it('that is declined, or lost, leaves what can be given back', async () => {
    const { _id } = await service.authorise({ amount: '20000.00' })
    await calls.capture(_id)
    expect((await calls.refund(_id, { amount: '9000.51' })).status).toBe(422)
    expect((await calls.refund(_id, { amount: '9000.69' })).body.error?.code).toBe('outcome_unknown')
    expect((await calls.refund(_id, {})).status).toBe(409)
    await service.runJob('resolve attempts')
    expect(chargeOf(await calls.refund(_id, {}))).toMatchObject({
      statistics: { total_refunded_amount: 20000 },
    })
  })

  it("races itself: never more than was captured, by the gateway's books too", async () => {
    const id = await captured()
    const answers = await Promise.all(Array.from({ length: 30 }, () => calls.refund(id, { amount: '6' })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect((await calls.read(id)).statistics.total_refunded_amount).toBe(6)
  })
})
