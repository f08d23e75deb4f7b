import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChargePage } from '../../../contract/dashboard/payments/charge-list.ts'
import { ChargeTimeline } from '../../../contract/dashboard/payments/charge-timeline.ts'
import { chargeCalls, chargeOf } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { asking } from '../dashboard/testing/signed-in.ts'
import { createTestDashboard } from '../../testing/test-dashboard.ts'
import type { TestDashboard } from '../../testing/test-dashboard.ts'
import type { TestService } from '../../testing/test-service.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../../testing/webhook-receiver.ts'

let service: TestService
let calls: ChargeCalls
let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await createTestDashboard()
  service = dashboard.service
  calls = chargeCalls(service)
})
afterAll(() => dashboard.close())

const missing = '0123456789abcdef01234567'

describe('the list of charges', () => {
  it('shows what a row needs, and finds by every filter of its query', async () => {
    const customer = { first_name: 'Zoë', last_name: 'Ng', email: 'zoe@example.com' }
    const held = await service.authorise({ reference: 'list-1', description: 'Two mugs', customer })
    const taken = await service.authorise({ reference: 'list-2', amount: '12.34' })
    await calls.capture(taken._id, { amount: '10.00' })
    await calls.refund(taken._id, { amount: '2.50' })
    const { data } = await dashboard.read(ChargePage, '/api/charges?q=list-')
    expect(data.map(({ id }) => id)).toEqual([taken._id, held._id])
    expect(data[0]).toMatchObject({
      status: 'complete',
      amount: 12.34,
      captured_amount: 10,
      refunded_amount: 2.5,
      hold_ends_at: null,
      is_outcome_open: false,
      error_code: null,
      customer_name: null,
    })
    expect(data[1]).toMatchObject({
      status: 'pending',
      captured_amount: 0,
      reference: 'list-1',
      description: 'Two mugs',
      customer_name: 'Zoë Ng',
      customer_email: 'zoe@example.com',
      card_scheme: 'mastercard',
      card_last4: '1118',
      currency: 'AUD',
    })
    expect(Date.parse(data[1]?.hold_ends_at ?? '') - Date.parse(held.created_at)).toBeGreaterThan(
      6 * 86_400_000,
    )
    const found = async (query: string) =>
      (await dashboard.read(ChargePage, `/api/charges?q=list-*&${query}`)).data.map(
        ({ reference }) => reference,
      )
    expect(await found('status=pending')).toEqual(['list-1'])
    expect(await found('scheme=visa')).toEqual([])
    expect(await found('scheme=mastercard&amount.from=12.34')).toEqual(['list-2'])
    expect(await found('amount.to=12.33')).toEqual(['list-1'])
    expect(await found(`gateway_id=${missing}`)).toEqual([])
    expect(await found(`created_at.from=${taken.created_at}`)).toEqual(['list-2'])
    expect(await found(`created_at.to=${taken.created_at}`)).toEqual(['list-1'])
  })

  it('says why a charge failed', async () => {
    await calls.sell({
      amount: '9000.51',
      currency: 'AUD',
      token: await service.tokenise(),
      reference: 'poor',
    })
    const { data } = await dashboard.read(ChargePage, '/api/charges?q=poor')
    expect(data).toMatchObject([{ status: 'failed', captured_amount: 0, error_code: 'insufficient_funds' }])
    expect(data[0]?.error_message).toContain('too little')
  })

  it('goes on with a cursor, and shows no merchant what is another’s', async () => {
    const other = await service.makeMerchant()
    const ids = [(await service.authorise({}, other))._id, (await service.authorise({}, other))._id]
    const session = other.merchant.id
    const first = await dashboard.read(ChargePage, '/api/charges?limit=1', session)
    const second = await dashboard.read(
      ChargePage,
      `/api/charges?limit=1&cursor=${first.next ?? ''}`,
      session,
    )
    expect([...second.data, ...first.data].map(({ id }) => id)).toEqual(ids)
    expect(second.next).toBeNull()
    expect((await dashboard.read(ChargePage, `/api/charges?q=${ids[0] ?? ''}`)).data).toEqual([])
  })

  it.each([
    'status=done',
    'scheme=<script>',
    'gateway_id=x',
    'amount.from=-1',
    'amount.to=1.234',
    'limit=101',
    'cursor=x',
    'reference=r',
    'q=',
    'q=4111111111111111',
    'created_at.from=yesterday',
  ])('?%s: 400', async (query) => {
    expect((await dashboard.get(`/api/charges?${query}`)).statusCode).toBe(400)
  })

  it('is for those who are signed in', async () => {
    expect((await dashboard.app.inject('/api/charges')).statusCode).toBe(401)
    expect((await dashboard.app.inject(`/api/charges/${missing}/timeline`)).statusCode).toBe(401)
  })
})

describe('the timeline of a charge', () => {
  it('holds each attempt, who asked for it and its webhooks', async () => {
    const receiver = await createWebhookReceiver()
    await makeWebhook(service, { url: receiver.url })
    const { _id: id } = await service.authorise()
    await calls.capture(id)
    const cookie = dashboard.signIn(service.merchant.merchant.id, 'developer')
    const refund = { amount: '4.00', reference: 'return-7' }
    await asking(service)(cookie, { method: 'POST', url: `/v1/charges/${id}/refunds`, payload: refund })
    await sendWebhooks(service)
    const { data } = await dashboard.read(ChargeTimeline, `/api/charges/${id}/timeline`)
    await receiver.close()
    expect(data.attempts.map(({ type, outcome, amount, actor }) => [type, outcome, amount, actor])).toEqual([
      ['sale', 'approved', 10, 'merchant'],
      ['capture', 'approved', 10, 'merchant'],
      ['refund', 'approved', 4, `user:${cookie.slice(-24)}`],
    ])
    expect(data.attempts[2]?.reference).toBe('return-7')
    for (const { webhooks, settled_at: settledAt } of data.attempts) {
      expect(settledAt).not.toBeNull()
      expect(webhooks).toMatchObject([
        { url: receiver.url, status: 'delivered', attempts: 1, last_status: 204 },
      ])
    }
  })

  it('puts a decline into words and shows an open outcome', async () => {
    const declined = await calls.sell({ amount: '9000.51', currency: 'AUD', token: await service.tokenise() })
    const open = await calls.sell({ amount: '9000.68', currency: 'AUD', token: await service.tokenise() })
    const attemptsOf = async (id: string) =>
      (await dashboard.read(ChargeTimeline, `/api/charges/${id}/timeline`)).data.attempts
    expect(await attemptsOf(chargeOf(declined)._id)).toMatchObject([
      { outcome: 'declined', error_code: 'insufficient_funds', gateway_code: '51', webhooks: [] },
    ])
    expect(await attemptsOf(chargeOf(open)._id)).toMatchObject([
      { outcome: 'open', error_code: null, settled_at: null },
    ])
  })

  it.each([
    ['an id that is none', missing, 404],
    ['no id', 'x', 400],
  ])('%s', async (_, id, status) => {
    expect((await dashboard.get(`/api/charges/${id}/timeline`)).statusCode).toBe(status)
  })

  it('of another merchant’s charge is not there', async () => {
    const { _id: id } = await service.authorise()
    const session = (await service.makeMerchant()).merchant.id
    expect((await dashboard.get(`/api/charges/${id}/timeline`, session)).statusCode).toBe(404)
  })
})
