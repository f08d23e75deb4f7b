import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeCalls, chargeOf } from '../../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../../testing/charge-calls.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'

let service: TestService
let calls: ChargeCalls
beforeAll(async () => {
  service = await createTestService()
  calls = chargeCalls(service)
})
afterAll(() => service.close())

describe('a direct charge', () => {
  it.each([[''], ['?capture=true']])('(%j) is complete at once, with one sale', async (query) => {
    const token = await service.tokenise()
    const charge = chargeOf(await calls.sell({ amount: 5, currency: 'AUD', token }, query))
    expect(charge).toMatchObject({ status: 'complete', authorization: false, amount: 5 })
    expect(charge.transactions).toMatchObject([{ type: 'sale', status: 'complete' }])
    expect(charge.transactions[0]).not.toHaveProperty('pended_at')
  })
})

describe('what the gateway declines', () => {
  it.each([
    ['20.00', { expire_month: '05' }, 'transaction_declined', '05'],
    ['9000.51', {}, 'insufficient_funds', '51'],
    ['9000.54', {}, 'credit_card_invalid_or_expired', '54'],
    ['9000.59', {}, 'fraud_warning', '59'],
  ])('a sale of %s (%o) is 422 %s; the charge is kept as failed', async (amount, card, code, gatewayCode) => {
    const answer = await calls.sell({ amount, currency: 'AUD', token: await service.tokenise(card) })
    expect(answer).toMatchObject({ status: 422, body: { error: { code } } })
    const charge = chargeOf(answer)
    expect(charge).toMatchObject({ status: 'failed', __v: 0 })
    expect(charge.transactions).toMatchObject([
      { type: 'sale', status: 'failed', error_code: code, gateway_specific_code: gatewayCode },
    ])
    expect(await calls.read(charge._id)).toEqual(charge)
  })

  it('a declined capture leaves the hold, which can be captured again', async () => {
    const held = await service.authorise({ amount: '9500.00' })
    expect(await calls.capture(held._id, { amount: '9000.51' })).toMatchObject({
      status: 422,
      body: { error: { code: 'insufficient_funds' } },
    })
    expect((await calls.read(held._id)).status).toBe('pending')
    expect(chargeOf(await calls.capture(held._id))).toMatchObject({ status: 'complete', __v: 1 })
  })
})

describe('a charge that is asked for wrongly', () => {
  it.each([
    ['no amount', { amount: undefined }, 'amount', 'is required'],
    ['words', { amount: 'abc' }, 'amount', undefined],
    ['less than nothing', { amount: '-1' }, 'amount', undefined],
    ['three decimals', { amount: '10.001' }, 'amount', undefined],
    ['nothing', { amount: 0 }, 'amount', undefined],
    ['another currency', { currency: 'USD' }, 'currency', 'currency must be AUD'],
    ['no token', { token: undefined }, 'token', 'is required'],
    ['a NUL in a text', { reference: 'a\0b' }, 'reference', undefined],
    ['a card number in the reference', { reference: 'card 5111 1111 1111 1118' }, 'reference', undefined],
    [
      'a card number in a customer',
      { customer: { first_name: '5111111111111118' } },
      'customer.first_name',
      undefined,
    ],
    ['a wrong e-mail', { customer: { email: 'nobody' } }, 'customer.email', undefined],
  ])('%s: 400 that names the field', async (_name, change, path, message) => {
    const token = await service.tokenise()
    const answer = await calls.sell({ amount: '1', currency: 'AUD', token, ...change })
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } })
    expect(answer.body.error?.details).toMatchObject([message === undefined ? { path } : { path, message }])
  })

  it.each([['yes'], ['1'], ['']])('capture=%s is neither true nor false', async (value) => {
    const token = await service.tokenise()
    const answer = await calls.sell({ amount: '1', currency: 'AUD', token }, `?capture=${value}`)
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path: 'capture' }] } } })
  })

  it('a misspelt query does not take the money at once', async () => {
    const token = await service.tokenise()
    const answer = await calls.sell({ amount: '1', currency: 'AUD', token }, '?Capture=false')
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path: 'Capture' }] } } })
  })

  it.each([['unknown'], ['5111111111111118'], ['d8bdef52-f208-48ce-85fd-52d67ffbf148']])(
    'the token %s: 400 token_not_found',
    async (token) => {
      expect((await calls.sell({ amount: '1', currency: 'AUD', token })).body.error?.code).toBe(
        'token_not_found',
      )
    },
  )

  it('holding funds needs the Pre-Auth feature', async () => {
    const other = await service.makeMerchant({ preAuth: false })
    const token = await service.tokenise({}, other)
    const headers = { 'x-user-secret-key': other.secretKey }
    const payload = { amount: '1', currency: 'AUD', token }
    const hold = await service.call({ method: 'POST', url: '/v1/charges?capture=false', headers, payload })
    expect(hold).toMatchObject({ status: 403, body: { error: { code: 'feature_not_enabled' } } })
    expect((await service.call({ method: 'POST', url: '/v1/charges', headers, payload })).status).toBe(201)
  })
})
