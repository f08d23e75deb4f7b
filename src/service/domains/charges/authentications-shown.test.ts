import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Overview } from '../../../contract/dashboard/overview.ts'
import { ChargePage } from '../../../contract/dashboard/payments/charge-list.ts'
import { ChargeTimeline } from '../../../contract/dashboard/payments/charge-timeline.ts'
import { createTestDashboard } from '../../testing/test-dashboard.ts'
import type { TestDashboard } from '../../testing/test-dashboard.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { charge, formIn, openChallenge, post } from '../gateways/sandbox-bank/testing/card-holder.ts'
import type { Asked } from '../gateways/sandbox-bank/testing/card-holder.ts'

const PASSES_UNASKED = '4970110000000013'

let dashboard: TestDashboard
let of: Record<'unasked' | 'passed' | 'failed' | 'left' | 'waiting', Asked>
beforeAll(async () => {
  dashboard = await createTestDashboard()
  const { service } = dashboard
  const [unasked, passed, failed, left, waiting] = [
    await charge(service, { card: PASSES_UNASKED }),
    await charge(service),
    await charge(service),
    await charge(service),
    await charge(service),
  ]
  of = { unasked, passed, failed, left, waiting }
  await answer(passed, '1234')
  for (const wrong of ['0000', '0001', '0002']) await answer(failed, wrong)
  await left.giveUp()
})
afterAll(() => dashboard.close())

/** Gives the bank's page a code, and goes back to the shop if that leads there. */
async function answer(asked: Asked, code: string): Promise<void> {
  const { service } = dashboard
  const acs = formIn(await openChallenge(service, await asked.session())).fields['acs'] ?? ''
  const { body } = await post(service, '/3ds/challenge/answer', { acs, action: 'code', code })
  const { action, fields } = formIn(body)
  if (fields['cres'] === undefined) return
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const payload = new URLSearchParams(fields).toString()
  await service.raw({ method: 'POST', url: new URL(action).pathname, headers, payload })
}
const idOf = (name: keyof typeof of) => of[name].charge._id
const timelineOf = async (name: keyof typeof of) => {
  const { data } = await dashboard.read(ChargeTimeline, `/api/charges/${idOf(name)}/timeline`)
  return data.attempts[0]
}
const makeOld = testStatement(
  't_make_attempts_old',
  "UPDATE attempts SET created_at = now() - interval '10 minutes', ask_after = now() + interval '5 minutes' WHERE outcome = 'open'",
)

describe('an authentication on the dashboard', () => {
  it.each([
    ['unasked', 'authenticated', 'frictionless', false, true],
    ['passed', 'authenticated', 'challenge', true, true],
    ['failed', 'failed', 'challenge', true, true],
    ['left', 'cancelled', null, true, true],
    ['waiting', 'pending', null, true, false],
  ] as const)('stands in the timeline: %s', async (name, status, flow, isAsked, isEnded) => {
    const sale = await timelineOf(name)
    expect(sale?.authentication).toMatchObject({ status, ...(flow !== null && { flow }) })
    expect([sale?.authentication?.asked !== null, sale?.authentication?.ended !== null]).toEqual([
      isAsked,
      isEnded,
    ])
  })

  it.each([
    ['pre_authentication_pending', 'waiting'],
    ['not_authenticated', 'left'],
  ] as const)('is found in the list by its state: %s', async (status, name) => {
    const { data } = await dashboard.read(ChargePage, `/api/charges?status=${status}`)
    expect(data.map(({ id }) => id)).toEqual([idOf(name)])
  })

  it('has four columns of the CSV file', async () => {
    const { body } = await dashboard.get('/api/charges.csv')
    const [names = '', ...lines] = body.trimEnd().split('\r\n')
    expect(names.split(',').slice(-4)).toEqual([
      'authentication_status',
      'authentication_flow',
      'eci',
      'liability_shifted',
    ])
    const lastOf = (name: keyof typeof of) =>
      lines
        .find((line) => line.startsWith(idOf(name)))
        ?.split(',')
        .slice(-4)
    expect(lastOf('unasked')).toEqual(['authenticated', 'frictionless', '05', 'true'])
    expect(lastOf('passed')).toEqual(['authenticated', 'challenge', '05', 'true'])
    expect(lastOf('left')?.[0]).toBe('cancelled')
    expect(lastOf('waiting')?.[0]).toBe('pending')
  })

  it('is counted by what became of it; who gave up was declined by no issuer', async () => {
    await dashboard.service.runJob('seal events')
    await dashboard.service.runJob('count charges')
    const { data } = await dashboard.read(Overview, '/api/overview')
    const of1000 = (count: number) => ({ count, cents: count * 1000 })
    expect(data.totals).toMatchObject([
      {
        ...{ asked: of1000(4), passed: of1000(1), not_passed: of1000(1), gave_up: of1000(1) },
        ...{ authorised: of1000(2), declined: of1000(1) },
      },
    ])
    expect(data.decline_reasons.map(({ reason }) => reason)).toEqual(['authentication_failed'])
  })

  it('needs no attention while the card holder has time', async () => {
    await dashboard.service.database.run(makeOld, [])
    const { data } = await dashboard.read(Overview, '/api/overview')
    expect(data.needs_attention).toEqual([])
  })

  it('is among the metrics, by gateway and result', async () => {
    const { body } = await dashboard.service.raw({ url: '/metrics' })
    expect(body).toContain('svc_authentications_waiting 1')
    expect(body).toContain('svc_authentications_total{gateway="sandbox",result="authenticated"} 2')
    expect(body).toContain('svc_authentications_total{gateway="sandbox",result="cancelled"} 1')
    expect(body).toContain('svc_authentications_total{gateway="sandbox",result="failed"} 1')
  })
})
