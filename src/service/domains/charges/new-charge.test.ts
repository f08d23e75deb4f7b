import { describe, expect, it } from 'vitest'
import { toNewCharge } from './new-charge.ts'
import { cents } from './testing/made-charge.ts'

const facts = {
  card_name: 'Grace Hopper',
  card_number_last4: '1118',
  card_number_bin: '511111',
  card_scheme: 'mastercard',
  expire_month: 1,
  expire_year: 2039,
}
const beginning = {
  id: 'c1',
  merchant: { id: 'm1' },
  gateway: { id: 'g1', name: 'Sandbox', type: 'sandbox', authentication: 'automatic' },
  capture: false,
  attempt: {
    id: 'a1',
    type: 'sale',
    reason: null,
    amount: cents('10.00'),
    userId: null,
    sourceIp: '192.0.2.1',
    reference: null,
    idempotentRequest: null,
  },
} as const
const request = { amount: cents('10.00'), currency: 'AUD', token: 't1' } as const
const made = (asked: object = {}, holder: Record<string, string> = {}, capture = false) =>
  toNewCharge({
    ...beginning,
    capture,
    request: { ...request, ...asked },
    token: {
      hash: Buffer.from('t1'),
      gatewayId: null,
      facts: { ...facts, holder },
      secrets: { number: 'NUMBER', code: 'CODE' },
      browser: null,
    },
  })

describe('a new charge', () => {
  it('is a hold with facts of the card and no secret', () => {
    expect(made()).toMatchObject({
      id: 'c1',
      merchantId: 'm1',
      gatewayId: 'g1',
      gatewayType: 'sandbox',
      status: 'processing',
      preAuth: true,
      amount: 1000,
      currency: 'AUD',
      reference: null,
      description: null,
      customer: {},
      paymentSource: {
        type: 'card',
        gateway_id: 'g1',
        gateway_name: 'Sandbox',
        gateway_type: 'sandbox',
        ...facts,
        items: [],
      },
      sourceIp: '192.0.2.1',
      openAttemptId: 'a1',
    })
    expect(made().customer).toStrictEqual({})
    expect(JSON.stringify(made())).not.toMatch(/NUMBER|CODE/)
  })

  it('that captures at once is no hold', () => expect(made({}, {}, true).preAuth).toBe(false))

  it('keeps what the merchant calls it', () =>
    expect(made({ reference: 'order-1', description: 'Shoes' })).toMatchObject({
      reference: 'order-1',
      description: 'Shoes',
    }))

  it("takes the merchant's word on the customer before the card form's", () => {
    const customer = { first_name: 'Ada', email: 'ada@example.com', payment_source: { city: 'Sydney' } }
    const holder = {
      first_name: 'Grace',
      last_name: 'Hopper',
      phone: '1',
      address_line1: '1 Street',
      city: 'no',
    }
    const charge = made({ customer }, holder)
    expect(charge.customer).toStrictEqual({
      first_name: 'Ada',
      last_name: 'Hopper',
      phone: '1',
      email: 'ada@example.com',
    })
    expect(charge.paymentSource).toMatchObject({ address_line1: '1 Street', city: 'Sydney' })
    expect(made({}, holder).paymentSource).not.toHaveProperty('city')
    expect(made({}, holder).paymentSource).not.toHaveProperty('first_name')
    expect(made({}, holder).paymentSource).not.toHaveProperty('holder')
  })
})
