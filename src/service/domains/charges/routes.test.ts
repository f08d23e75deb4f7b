import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeCalls, chargeOf } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import * as v from 'valibot'
import { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'

let service: TestService
let calls: ChargeCalls
beforeAll(async () => {
  service = await createTestService()
  calls = chargeCalls(service)
})
afterAll(() => service.close())

const charge = async (query: string, fields: object = {}) =>
  service.call({
    method: 'POST',
    url: `/v1/charges${query}`,
    headers: calls.secret(),
    payload: { amount: '10.00', currency: 'AUD', token: await service.tokenise(), ...fields },
  })

describe('whether money is taken at once', () => {
  it.each([
    ['', {}, 'complete'],
    ['', { capture: true }, 'complete'],
    ['', { capture: false }, 'pending'],
    ['', { capture: 'false' }, 'pending'],
    ['?capture=false', {}, 'pending'],
    ['?capture=false', { capture: false }, 'pending'],
  ])('by the query %j and the body %j: %s', async (query, fields, status) => {
    expect(chargeOf(await charge(query, fields)).status).toBe(status)
  })

  it.each([
    ['?capture=true', { capture: false }],
    ['?capture=', {}],
    ['?capture=no', {}],
    ['?capture=true&capture=false', {}],
    ['', { capture: '' }],
    ['', { capture: null }],
    ['', { capture: 0 }],
    ['', { Capture: false }],
    ['?Capture=false', {}],
    ['', { customer: { capture: false } }],
  ])('is not guessed: %j with %j is refused', async (query, fields) => {
    const answer = await charge(query, fields)
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'validation_error'])
    expect(answer.body.error?.details?.[0]?.path).toMatch(/capture$/i)
  })
})

describe('an amount', () => {
  it.each([
    ['?amount=5', undefined],
    ['', { amount: '' }],
    ['', { amount: null }],
    ['', { amout: '5' }],
  ])('that could be lost is refused: nothing is captured by %j with %j', async (query, payload) => {
    const { _id } = await service.authorise()
    const answer = await service.call({
      method: 'POST',
      url: `/v1/charges/${_id}/capture${query}`,
      headers: calls.secret(),
      ...(payload !== undefined && { payload }),
    })
    expect(answer.status).toBe(400)
    expect((await calls.read(_id)).status).toBe('pending')
  })

  it.each(['0', '0.001', '1,000.00', '9999999999.99', '10000000', '-1', ''])(
    '%j says what it may be',
    async (amount) => {
      const answer = await charge('', { amount })
      expect(answer.body.error?.details).toEqual([
        { path: 'amount', message: 'amount must be 0.01 to 9999999.99, written like "10.00"' },
      ])
    },
  )
})

describe('optional fields that are empty', () => {
  it('count as left out', async () => {
    const customer = { first_name: '', email: null, payment_source: { city: '', address_state: null } }
    const made = chargeOf(await charge('', { reference: '', description: null, customer }))
    expect([made.reference, made.description]).toEqual([null, null])
    expect(Object.keys(made.customer)).toEqual(['payment_source'])
  })
})

describe('the card of a charge', () => {
  it('has the merchant’s address before the form’s, by one set of names', async () => {
    const token = await service.tokenise({ address_city: 'Perth', state: 'WA', address_company: 'Acme' })
    const given = { city: 'Sydney', address_postcode: '2000' }
    const { customer } = chargeOf(await charge('', { token, customer: { payment_source: given } }))
    expect(customer.payment_source).toMatchObject({
      city: 'Sydney',
      state: 'WA',
      postcode: '2000',
      address_company: 'Acme',
    })
    expect(Object.keys(customer.payment_source).filter((name) => name.startsWith('address_'))).toEqual([
      'address_company',
    ])
  })

  it('is known to the gateway by its id of the sale', async () => {
    const made = chargeOf(await charge(''))
    expect(made.customer.payment_source.ref_token).toBe(made.external_id)
    expect(made.external_id).toMatch(/./)
  })
})

describe('a list of charges', () => {
  it('comes newest first, a page at a time, of the own merchant only', async () => {
    const owner = await service.makeMerchant()
    const made: string[] = []
    for (let i = 0; i < 5; i += 1) made.unshift((await service.authorise({}, owner))._id)
    const Page = v.array(ChargeResource)
    const seen: string[] = []
    let cursor: string | null | undefined = ''
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor ?? ''}`
      const answer = await service.call({
        url: `/v1/charges?limit=2${query}`,
        headers: { 'x-user-secret-key': owner.secretKey },
      })
      seen.push(...v.parse(Page, answer.body.resource.data).map(({ _id }) => _id))
      cursor = answer.body.resource.next
    }
    expect(seen).toEqual(made)
  })

  it('holds what passes every filter', async () => {
    const owner = await service.makeMerchant()
    const [first, second, third] = [
      await service.authorise({ reference: 'red' }, owner),
      await service.authorise({ reference: 'red' }, owner),
      await service.authorise({ reference: 'blue' }, owner),
    ]
    const headers = { 'x-user-secret-key': owner.secretKey }
    await service.call({ method: 'DELETE', url: `/v1/charges/${second._id}/capture`, headers })
    const listed = async (query: string) => {
      const { body } = await service.call({ url: `/v1/charges?${query}`, headers })
      return v.parse(v.array(ChargeResource), body.resource.data).map(({ _id }) => _id)
    }
    expect(await listed('reference=red')).toEqual([second._id, first._id])
    expect(await listed('reference=red&status=pending')).toEqual([first._id])
    expect(await listed(`created_at.from=${third.created_at}`)).toContain(third._id)
    expect(await listed(`created_at.to=${first.created_at}`)).toEqual([])
    expect(await listed('skip=1&limit=1')).toEqual([second._id])
    expect(await listed('status=refunded')).toEqual([])
  })

  it.each([
    ['status=done'],
    ['created_at.from=yesterday'],
    ['created_at.to=2026-02-31'],
    ['skip=-1'],
    ['Status=pending'],
    ['limit=0'],
    ['limit=101'],
    ['limit=x'],
    ['cursor=x'],
  ])('?%s: 400', async (query) => {
    expect((await service.call({ url: `/v1/charges?${query}`, headers: calls.secret() })).status).toBe(400)
  })
})
