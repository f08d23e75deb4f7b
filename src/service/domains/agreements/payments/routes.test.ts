import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgreementPaymentResource } from '../../../../contract/api/agreements/agreement-payment-resource.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'

let service: TestService
let token: string
beforeAll(async () => {
  service = await createTestService()
  token = await service.accessToken()
})
afterAll(() => service.close())

const call = (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object, headers: object = {}) =>
  service.call({
    method,
    url,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(payload === undefined ? {} : { payload }),
  })

const Made = v.object({ _id: v.string() })

/** The id of an agreement that its debtor, of the sandbox, has accepted. */
async function makeAgreement(overrides: object = {}): Promise<string> {
  const { body } = await call('POST', '/agreements', {
    type: 'adhoc',
    description: 'Water',
    purpose: 'utility',
    debtor: {
      name: 'Grace Hopper',
      type: 'person',
      pay_id: { type: 'EMAIL', value: 'approve@sandbox.example' },
    },
    creditor: { name: 'Acme Water', account: { bsb: '802-985', account_number: '123456789' } },
    payment_terms: { amount_type: 'usage', maximum_amount: '300.00' },
    ...overrides,
  })
  const { _id: id } = v.parse(Made, body.resource.data)
  await service.runJob('send instructions')
  await service.runJob('receive notices')
  return id
}

const request = { amount: '120.50', reference: 'invoice-1', description: 'November' }

describe('the payments of an agreement', () => {
  it('are accepted, sent and settled, and can be read and listed', async () => {
    const agreement = await makeAgreement()
    const accepted = await call('POST', `/agreements/${agreement}/payments`, request)
    expect(accepted).toMatchObject({ status: 201, body: { resource: { type: 'payment' } } })
    const payment = v.parse(AgreementPaymentResource, accepted.body.resource.data)
    expect(payment).toMatchObject({ status: 'received', amount: 120.5, due_on: null, last_payment: false })
    await service.runJob('send payments')
    const read = await call('GET', `/payments/${payment._id}`)
    const settled = v.parse(AgreementPaymentResource, read.body.resource.data)
    expect(settled.status).toBe('settled')
    expect(settled.network_reference).not.toBeNull()
    expect(settled.settled_at).toBe(settled.updated_at)
    const list = await call('GET', `/agreements/${agreement}/payments?status=settled&reference=invoice-1`)
    expect(list.body.resource).toMatchObject({ type: 'payment', data: [{ _id: payment._id }], next: null })
    const none = await call('GET', `/agreements/${agreement}/payments?status=failed`)
    expect(none.body.resource.data).toEqual([])
  })

  it('are listed a page at a time, newest first', async () => {
    const agreement = await makeAgreement()
    for (const reference of ['1', '2', '3'])
      await call('POST', `/agreements/${agreement}/payments`, { ...request, reference })
    const first = await call('GET', `/agreements/${agreement}/payments?limit=2`)
    const cursor = v.parse(v.string(), first.body.resource.next)
    const second = await call('GET', `/agreements/${agreement}/payments?limit=2&cursor=${cursor}`)
    const References = v.array(v.object({ reference: v.string() }))
    const pages = [first, second].map(({ body }) => v.parse(References, body.resource.data))
    expect(
      pages
        .flat()
        .map(({ reference }) => reference)
        .sort(),
    ).toEqual(['1', '2', '3'])
    expect(pages.map(({ length }) => length)).toEqual([2, 1])
  })

  it('are made once under an Idempotency-Key', async () => {
    const agreement = await makeAgreement()
    const key = { 'idempotency-key': 'invoice-1-of-november' }
    const [first, again] = [
      await call('POST', `/agreements/${agreement}/payments`, request, key),
      await call('POST', `/agreements/${agreement}/payments`, request, key),
    ]
    expect(again.body.resource.data).toEqual(first.body.resource.data)
  })

  it('are refused in words that name the term', async () => {
    const agreement = await makeAgreement()
    const refused = await call('POST', `/agreements/${agreement}/payments`, { ...request, amount: '300.01' })
    expect(refused).toMatchObject({ status: 422, body: { error: { code: 'outside_terms' } } })
    expect(refused.body.error?.message).toContain('300.00 at most (maximum_amount)')
    await call('PATCH', `/agreements/${agreement}/status`, {
      action: 'suspend',
      reason_code: 'customer_request',
    })
    const suspended = await call('POST', `/agreements/${agreement}/payments`, request)
    expect(suspended).toMatchObject({ status: 422, body: { error: { code: 'unfulfilled_condition' } } })
  })

  it.each(['reference', 'description'])(
    'are refused with a %s that the payer would read otherwise',
    async (field) => {
      const agreement = await makeAgreement()
      const payload = { ...request, [field]: 'invoice\u202E1' }
      const { status, body } = await call('POST', `/agreements/${agreement}/payments`, payload)
      expect([status, body.error?.details?.map(({ path }) => path)]).toEqual([400, [field]])
    },
  )

  it("ask for their scopes, and are their own merchant's", async () => {
    const agreement = await makeAgreement()
    const made = await call('POST', `/agreements/${agreement}/payments`, request)
    const { _id: payment } = v.parse(Made, made.body.resource.data)
    const reader = { authorization: `Bearer ${await service.accessToken({ scopes: ['payments:read'] })}` }
    expect((await call('POST', `/agreements/${agreement}/payments`, request, reader)).status).toBe(403)
    const merchant = await service.makeMerchant()
    const stranger = { authorization: `Bearer ${await service.accessToken({ merchant })}` }
    for (const url of [`/payments/${payment}`, `/agreements/${agreement}/payments`])
      expect((await call('GET', url, undefined, stranger)).status).toBe(404)
    const url = `/agreements/${agreement}/payments`
    expect((await call('POST', url, request, stranger)).status).toBe(404)
  })

  it('of a oneoff end the agreement', async () => {
    const agreement = await makeAgreement({ type: 'oneoff' })
    await call('POST', `/agreements/${agreement}/payments`, request)
    await service.runJob('send payments')
    const { body } = await call('GET', `/agreements/${agreement}`)
    expect(body.resource.data).toMatchObject({ status: 'expired' })
  })

  it('are collected by the service on the day', async () => {
    const terms = { amount_type: 'fixed', amount: '5.00', frequency: 'daily', point_in_period: 1 }
    const agreement = await makeAgreement({ type: 'recurring', payment_terms: terms, reference: 'member-1' })
    await service.runJob('collect due payments')
    await service.runJob('send payments')
    const { body } = await call('GET', `/agreements/${agreement}/payments`)
    expect(body.resource.data).toMatchObject([{ status: 'settled', amount: 5, reference: 'member-1' }])
  })
})
