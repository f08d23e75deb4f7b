import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeCalls, chargeOf } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'

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

describe('a charge whose funds are held', () => {
  it('is pending with one pending sale and no secret of the card', async () => {
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

  it('becomes complete by a partial capture and keeps its amount', async () => {
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

describe('a capture or cancel that cannot be', () => {
  it.each([['0'], ['0.00'], ['-1'], ['1.001'], ['abc'], [true], [null]])(
    'a capture of %j: 400, unchanged',
    async (amount) => {
      const held = await service.authorise()
      expect((await calls.capture(held._id, { amount })).status).toBe(400)
      expect(await calls.read(held._id)).toEqual(held)
    },
  )

  it('a misspelt amount does not capture everything', async () => {
    const held = await service.authorise()
    expect(await calls.capture(held._id, { Amount: '1' })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'Amount' }] } },
    })
    expect(await calls.read(held._id)).toEqual(held)
  })

  it.each([['null'], ['[]'], ['"10"'], ['0']])(
    'the body %s is no amount: 400, unchanged',
    async (payload) => {
      const held = await service.authorise()
      const headers = { ...calls.secret(), 'content-type': 'application/json' }
      const url = `/v1/charges/${held._id}/capture`
      expect((await service.call({ method: 'POST', url, headers, payload })).status).toBe(400)
      expect(await calls.read(held._id)).toEqual(held)
    },
  )

  it('more than was authorised: 422, unchanged', async () => {
    const held = await service.authorise()
    expect((await calls.capture(held._id, { amount: '10.01' })).body.error?.code).toBe(
      'amount_exceeds_authorised',
    )
    expect(await calls.read(held._id)).toEqual(held)
  })

  it.each([
    ['complete', 'capture'],
    ['cancelled', 'cancel'],
  ] as const)('a charge that is %s takes neither', async (_status, end) => {
    const { _id } = await service.authorise()
    await calls[end](_id)
    const ended = await calls.read(_id)
    for (const again of [calls.capture, calls.cancel]) {
      expect(await again(_id)).toMatchObject({
        status: 422,
        body: { error: { code: 'unfulfilled_condition' } },
      })
    }
    expect(await calls.read(_id)).toEqual(ended)
  })

  it("another merchant's charge is not there", async () => {
    const other = await service.makeMerchant()
    const { _id } = await service.authorise({}, other)
    expect((await calls.capture(_id)).status).toBe(404)
    expect((await calls.cancel(_id)).status).toBe(404)
    expect((await service.call({ url: `/v1/charges/${_id}`, headers: calls.secret() })).status).toBe(404)
  })

  it.each([['6b01799184f819f4cecbe1a75'], ['6b0'], ['6B01799184F819F4CECBE1A7'], ['%00'], ['x'.repeat(24)]])(
    'the id %s: 400',
    async (id) => {
      expect((await calls.capture(id)).status).toBe(400)
    },
  )
})

describe('a race', () => {
  it('of 100 captures of one charge has one winner, and the gateway sees one', async () => {
    const { _id } = await service.authorise()
    const answers = await Promise.all(Array.from({ length: 100 }, () => calls.capture(_id)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.every((status) => [201, 409, 422].includes(status))).toBe(true)
    expect((await calls.read(_id)).transactions.filter(({ type }) => type === 'capture')).toHaveLength(1)
    const ledger = testStatement<{ kind: string; result: string }>(
      't_ledger',
      'SELECT kind, result FROM sandbox_gateway.operations WHERE hold_id = $1 ORDER BY created_at',
    )
    const [sale] = (await calls.read(_id)).transactions
    expect(await service.database.run(ledger, [sale?.external_id])).toEqual([
      { kind: 'sale', result: 'approved' },
      { kind: 'capture', result: 'approved' },
    ])
  })

  it('of captures and cancels has one winner', async () => {
    const { _id } = await service.authorise()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? calls.capture : calls.cancel)(_id)),
    )
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
  })
})

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
