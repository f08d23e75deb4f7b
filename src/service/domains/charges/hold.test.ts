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

describe('a charge whose funds are held', () => {
  it('is pending, with one pending sale, and shows of the card what may be shown', async () => {
    const token = await service.tokenise({ address_city: 'Perth', email: 'grace@example.com' })
    const customer = { last_name: 'Hopper', payment_source: { postcode: '6000' } }
    const answer = await calls.sell({
      amount: '10.50',
      currency: 'AUD',
      token,
      reference: 'order 7',
      customer,
    })
    expect(answer.status).toBe(201)
    const charge = chargeOf(answer)
    expect(charge).toMatchObject({
      status: 'pending',
      capture: false,
      authorization: true,
      amount: 10.5,
      currency: 'AUD',
      reference: 'order 7',
      company_id: service.merchant.merchant.id,
      statistics: { total_refunded_amount: 0, full_refund: false },
      __v: 0,
    })
    expect(charge.customer).toMatchObject({ last_name: 'Hopper', email: 'grace@example.com' })
    expect(charge.customer.payment_source).toMatchObject({
      card_number_last4: '1118',
      card_number_bin: '51111111',
      card_scheme: 'mastercard',
      expire_month: 1,
      expire_year: 2039,
      gateway_type: 'sandbox',
      city: 'Perth',
      postcode: '6000',
    })
    const [sale, ...others] = charge.transactions
    expect(others).toEqual([])
    expect(sale).toMatchObject({
      type: 'sale',
      status: 'pending',
      amount: 10.5,
      include_authorization: false,
    })
    expect(sale?.pended_at).toBeDefined()
    expect(sale?.external_reference).toMatch(/^\d{12}$/)
    expect(await calls.read(charge._id)).toEqual(charge)
  })

  it('becomes complete by a capture', async () => {
    const held = await service.authorise()
    const answer = await calls.capture(held._id)
    expect(answer.status).toBe(201)
    const charge = chargeOf(answer)
    expect(charge).toMatchObject({ status: 'complete', capture: true, amount: 10, __v: 1 })
    expect(charge.transactions).toMatchObject([
      { type: 'sale', status: 'complete', include_authorization: true, _source_ip_address: '127.0.0.1' },
      { type: 'capture', status: 'complete', amount: 10 },
    ])
    expect(await calls.read(held._id)).toEqual(charge)
  })

  it('becomes complete by a capture of a part; amounts stay, the capture holds what was taken', async () => {
    const held = await service.authorise()
    const charge = chargeOf(await calls.capture(held._id, { amount: '4.20' }))
    expect(charge).toMatchObject({ status: 'complete', amount: 10 })
    expect(charge.transactions).toMatchObject([{ amount: 10 }, { type: 'capture', amount: 4.2 }])
  })

  it('becomes cancelled by a cancel', async () => {
    const held = await service.authorise()
    const answer = await calls.cancel(held._id)
    expect(answer.status).toBe(200)
    const charge = chargeOf(answer)
    expect(charge).toMatchObject({ status: 'cancelled', capture: false, __v: 1 })
    expect(charge.transactions).toMatchObject([
      { type: 'sale', status: 'cancelled' },
      { type: 'cancel', status: 'complete' },
    ])
    expect(charge.transactions.some((one) => 'include_authorization' in one)).toBe(false)
    expect(charge.transactions[1]).not.toHaveProperty('_source_ip_address')
    expect(await calls.read(held._id)).toEqual(charge)
  })
})
