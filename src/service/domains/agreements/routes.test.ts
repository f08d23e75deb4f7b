import { setTimeout } from 'node:timers/promises'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgreementPaymentResource } from '../../../contract/api/agreements/agreement-payment-resource.ts'
import { AgreementResource } from '../../../contract/api/agreements/agreement-resource.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import {
  agreementCalls,
  agreementOf,
  countAgreements,
  debtor,
  debtorOfAccount,
  request,
} from './testing/agreement-calls.ts'
import type { AgreementCalls } from './testing/agreement-calls.ts'

let service: TestService
let calls: AgreementCalls
beforeAll(async () => {
  service = await createTestService()
  calls = await agreementCalls(service)
})
afterAll(() => service.close())

const count = () => countAgreements(service)

const terms = (change: object) => ({ payment_terms: { ...request.payment_terms, ...change } })
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const day = (days: number) => inDays(days).slice(0, 10)

describe.each(['/agreements', '/agreements/validate'])('POST %s', (path) => {
  it.each<[string, object, string]>([
    ['no description', { description: undefined }, 'description'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['an unknown type', { type: 'weekly' }, 'type'],
    ['an unknown purpose', { purpose: 'fun' }, 'purpose'],
    ['a day that the calendar lacks', { start_date: '2026-02-31' }, 'start_date'],
    ['a time on such a day', { response_required_by: '2026-02-30T00:00:00Z' }, 'response_required_by'],
    ['a list in place of metadata', { metadata: ['gold'] }, 'metadata'],
    ['a debtor without an account', { debtor: { name: 'G', type: 'person' } }, 'debtor'],
    ['a debtor with both', { debtor: { ...debtor(), ...debtorOfAccount('1') } }, 'debtor'],
    [
      'a PayID of another form',
      { debtor: { ...debtor(), pay_id: { type: 'ABN', value: '1' } } },
      'debtor.pay_id.value',
    ],
    [
      'a BSB of five digits',
      { creditor: { name: 'A', account: { bsb: '80298', account_number: '1' } } },
      'creditor.account.bsb',
    ],
    ['fixed without an amount', terms({ amount: undefined }), 'payment_terms.amount'],
    ['fixed with a maximum', terms({ maximum_amount: '1.00' }), 'payment_terms.maximum_amount'],
    [
      'variable without a maximum',
      { payment_terms: { amount_type: 'variable' } },
      'payment_terms.maximum_amount',
    ],
    ['adhoc with a frequency', terms({ frequency: 'daily' }), 'payment_terms'],
    ['recurring without one', { type: 'recurring' }, 'payment_terms'],
    [
      'a point outside its period',
      { type: 'recurring', ...terms({ frequency: 'weekly', point_in_period: 8 }) },
      'payment_terms.point_in_period',
    ],
    [
      'a point beside a count',
      { type: 'recurring', ...terms({ frequency: 'weekly', point_in_period: 1, count_per_period: 2 }) },
      'payment_terms.count_per_period',
    ],
    [
      'a maximum number of payments for a oneoff',
      { type: 'oneoff', max_number_of_payments: 3 },
      'max_number_of_payments',
    ],
    ['a maximum number of payments of one', { max_number_of_payments: 1 }, 'max_number_of_payments'],
    [
      'a last payment without an end',
      {
        type: 'recurring',
        ...terms({ frequency: 'weekly', last_payment: { date: day(20), amount: '5.00' } }),
      },
      'end_date',
    ],
    ['a reference that is too long', { reference: 'r'.repeat(65) }, 'reference'],
    ['a time that is none', { response_required_by: 'soon' }, 'response_required_by'],
  ])('refuses %s with 400', async (_, change, place) => {
    const { status, body } = await calls.create(change, path)
    expect([status, body.error?.code]).toEqual([400, 'validation_error'])
    expect(body.error?.details?.map((one) => one.path)).toContain(place)
  })

  it.each<[string, object]>([
    ['description', { description: 'Power\nTotal: 1.00' }],
    ['short_description', { short_description: '\u202Elight' }],
    ['debtor.name', { debtor: { ...debtor(), name: 'Grace\u2066Hopper' } }],
    ['debtor.pay_id.value', { debtor: { ...debtor(), pay_id: { type: 'ORGANISATION', value: '\u200B' } } }],
    ['creditor.name', { creditor: { ...request.creditor, name: 'Acme\u0007Power' } }],
    ['reference', { reference: 'customer\u20281' }],
  ])('refuses a %s that the payer would read otherwise', async (place, change) => {
    const { status, body } = await calls.create(change, path)
    expect([status, body.error?.details?.map((one) => one.path)]).toEqual([400, [place]])
  })

  it('takes names that are written from right to left', async () => {
    const { status } = await calls.create({ debtor: { ...debtor(), name: 'محمد عبد الله' } }, path)
    expect(status).toBeLessThan(300)
  })

  it.each<[string, object, number, string]>([
    ['a start that is past', { start_date: '2020-01-01' }, 422, 'outside_terms'],
    ['an end before its start', { start_date: day(9), end_date: day(8) }, 422, 'outside_terms'],
    ...(['first_payment', 'last_payment'] as const).map((name): [string, object, number, string] => [
      `a ${name} above the maximum`,
      {
        type: 'recurring',
        end_date: day(30),
        payment_terms: {
          amount_type: 'variable',
          maximum_amount: '10.00',
          frequency: 'monthly',
          [name]: { date: day(29), amount: '10.01' },
        },
      },
      422,
      'outside_terms',
    ]),
    ['an answer that is past', { response_required_by: inDays(-1) }, 422, 'outside_terms'],
    ['an answer in more than 5 days', { response_required_by: inDays(5.1) }, 422, 'outside_terms'],
    ['a PayID that nobody has', { debtor: debtor('unknown@sandbox.example') }, 422, 'debtor_not_found'],
    ['an account that is not there', { debtor: debtorOfAccount('100000004') }, 422, 'debtor_not_found'],
    ['a network out of reach', { debtor: debtor('unreachable@sandbox.example') }, 503, 'network_unavailable'],
  ])('refuses %s', async (_, change, expected, code) => {
    const before = await count()
    const { status, body } = await calls.create(change, path)
    expect([status, body.error?.code, await count()]).toEqual([expected, code, before])
  })

  it('asks for the scope agreements:write', async () => {
    const reader = await agreementCalls(service, await service.accessToken({ scopes: ['agreements:read'] }))
    const { status, body } = await reader.create({}, path)
    expect([status, body.error?.code]).toEqual([403, 'insufficient_scope'])
  })
})

describe('reading', () => {
  it('answers 404 for another merchant, and for what is not there', async () => {
    const { _id: id } = agreementOf(await calls.create())
    const other = await service.makeMerchant()
    const stranger = await agreementCalls(service, await service.accessToken({ merchant: other }))
    const cancel = { action: 'cancel', reason_code: 'dispute' }
    const answers = [
      await stranger.get(id),
      await stranger.amend(id, { reference: 'mine' }),
      await stranger.changeStatus(id, cancel),
      await calls.get('0'.repeat(24)),
    ]
    expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual(
      Array(4).fill([404, 'not_found']),
    )
    expect((await stranger.list()).body.resource.data).toEqual([])
  })

  it('answers 400 for an id that is none', async () => {
    expect((await calls.get('x')).status).toBe(400)
  })
})

describe('the list', () => {
  it('shows agreements as they are read, newest first, without history', async () => {
    const merchant = await service.makeMerchant()
    const mine = await agreementCalls(service, await service.accessToken({ merchant }))
    const { _id: first } = await mine.createActive({ reference: 'first', metadata: { plan: 'gold' } })
    await mine.changeStatus(first, { action: 'suspend', reason_code: 'dispute', reason: 'A broken meter' })
    await setTimeout(2)
    const { _id: second } = await mine.createActive({ type: 'oneoff' })
    await mine.amend(second, { end_date: inDays(20).slice(0, 10) })
    const { data } = (await mine.list()).body.resource
    const read = await Promise.all(
      [second, first].map(async (id) => ({ ...agreementOf(await mine.get(id)), history: undefined })),
    )
    expect(v.parse(v.array(AgreementResource), data)).toEqual(read)
  })

  it('is narrowed down by status, type, reference and time, a page at a time', async () => {
    const mine = await agreementCalls(
      service,
      await service.accessToken({ merchant: await service.makeMerchant() }),
    )
    const ids = []
    for (const change of [{}, { type: 'oneoff' }, { reference: 'x' }])
      ids.push(agreementOf(await mine.create(change))._id)
    const [first, second, third] = ids
    await mine.changeStatus(first ?? '', { action: 'cancel', reason_code: 'dispute' })
    const listed = async (query: string) => {
      const { data } = (await mine.list(query)).body.resource
      return Array.isArray(data) ? data.map((one: { _id: string }) => one._id) : []
    }
    expect((await listed('')).sort()).toEqual([...ids].sort())
    expect(await listed('?status=cancelled')).toEqual([first])
    expect(await listed('?type=oneoff')).toEqual([second])
    expect(await listed('?reference=x&status=created&type=adhoc')).toEqual([third])
    expect(await listed(`?created_at.from=${inDays(1)}`)).toEqual([])
    const page = (await mine.list('?limit=2')).body.resource
    expect(page.data).toHaveLength(2)
    expect((await mine.list(`?limit=2&cursor=${page.next ?? ''}`)).body.resource).toMatchObject({
      next: null,
    })
    expect((await mine.list('?colour=red')).status).toBe(400)
    expect((await mine.list('?status=dead')).status).toBe(400)
  })
})

describe('over the API', () => {
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

  describe('payments', () => {
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
      const refused = await call('POST', `/agreements/${agreement}/payments`, {
        ...request,
        amount: '300.01',
      })
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
      const agreement = await makeAgreement({
        type: 'recurring',
        payment_terms: terms,
        reference: 'member-1',
      })
      await service.runJob('collect due payments')
      await service.runJob('send payments')
      const { body } = await call('GET', `/agreements/${agreement}/payments`)
      expect(body.resource.data).toMatchObject([{ status: 'settled', amount: 5, reference: 'member-1' }])
    })
  })
})
