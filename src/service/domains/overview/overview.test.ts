import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Overview } from '../../../contract/dashboard/overview.ts'
import { chargeCalls } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { createTestDashboard } from '../../testing/test-dashboard.ts'
import type { TestDashboard } from '../../testing/test-dashboard.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'

let dashboard: TestDashboard
let service: TestService
let calls: ChargeCalls
beforeAll(async () => {
  dashboard = await createTestDashboard()
  service = dashboard.service
  calls = chargeCalls(service)
})
afterAll(() => dashboard.close())

const run = (name: string, sql: string, ...values: unknown[]) =>
  service.database.run(testStatement(name, sql), values)
const sale = async (amount: string, card = {}) =>
  calls.sell({ amount, currency: 'AUD', token: await service.tokenise(card) }, '')
/** Lets what has happened since have happened at a time. */
async function asOf(time: string) {
  await run('t_as_of', 'UPDATE event_outbox SET created_at = $1', time)
  await service.runJob('seal events')
}
async function overview(query: string, merchantId?: string) {
  await service.runJob('count charges')
  return (await dashboard.read(Overview, `/api/overview?${query}`, merchantId)).data
}

const NONE = { count: 0, cents: 0 }

describe('an overview', () => {
  it('sums up what became of charges, by currency, scheme, reason and time', async () => {
    await sale('100.00')
    const { _id: held } = await service.authorise({ amount: '30.00' })
    await asOf('2026-03-10T13:29:59.999Z')
    await calls.capture(held, { amount: '20.00' })
    await calls.refund(held, { amount: '5.00' })
    await calls.cancel((await service.authorise({ amount: '7.00' }))._id)
    await asOf('2026-03-10T13:30:00Z')
    await sale('50.00', { card_number: '4242424242424242' })
    await sale('9000.51')
    await sale('9000.91')
    await asOf('2026-03-10T18:14:59Z')
    const found = await overview('from=2026-03-10&to=2026-03-11')
    expect(found).toMatchObject({ step: 'hour', uncounted: 0, time_zone: 'UTC', approval_rate: 0.8 })
    expect(found.totals).toEqual([
      {
        currency: 'AUD',
        authorised: { count: 4, cents: 18_700 },
        captured: { count: 3, cents: 17_000 },
        refunded: { count: 1, cents: 500 },
        cancelled: { count: 1, cents: 700 },
        declined: { count: 1, cents: 900_051 },
        ...{ asked: NONE, passed: NONE, not_passed: NONE, gave_up: NONE },
      },
    ])
    expect(
      found.by_scheme.map(({ scheme, approval_rate, captured }) => [scheme, approval_rate, captured]),
    ).toEqual([
      ['mastercard', 0.75, { count: 2, cents: 12_000 }],
      ['visa', 1, { count: 1, cents: 5000 }],
    ])
    expect(found.decline_reasons).toMatchObject([{ reason: 'insufficient_funds', count: 1, cents: 900_051 }])
    expect(found.decline_reasons[0]?.words).toContain('too little')
    expect(found.series).toHaveLength(48)
    const hours = found.series.filter(({ currencies }) => currencies.length > 0)
    expect(hours.map(({ starts_at: start, currencies }) => [start, currencies[0]?.captured.cents])).toEqual([
      ['2026-03-10T13:00:00.000Z', 12_000],
      ['2026-03-10T18:00:00.000Z', 5000],
    ])
  })

  it.each([
    ['UTC', 17_000, 0],
    ['Australia/Adelaide', 10_000, 7000],
    ['Asia/Kathmandu', 17_000, 0],
    ['Asia/Kolkata', 17_000, 0],
    ['Pacific/Kiritimati', 0, 17_000],
  ])('gives each day what happened in it by the clocks of %s', async (zone, tenth, eleventh) => {
    const { series } = await overview(`from=2026-03-10&to=2026-03-11&step=day&time_zone=${zone}`)
    expect(series.map(({ currencies }) => currencies[0]?.captured.cents ?? 0)).toEqual([tenth, eleventh])
  })

  it('tells days apart to the quarter hour, where clocks do', async () => {
    await sale('3.00')
    await asOf('2026-03-20T18:15:00Z')
    const days = async (zone: string) =>
      (await overview(`from=2026-03-20&to=2026-03-21&step=day&time_zone=${zone}`)).series.map(
        ({ currencies }) => currencies.length,
      )
    expect(await days('Asia/Kathmandu')).toEqual([0, 1])
    expect(await days('Asia/Kolkata')).toEqual([1, 0])
  })

  it('of another merchant is empty: no totals, no rate, nothing to do', async () => {
    const { merchant } = await service.makeMerchant()
    expect(await overview('from=2026-03-10&to=2026-03-10&step=day', merchant.id)).toMatchObject({
      approval_rate: null,
      totals: [],
      by_scheme: [],
      decline_reasons: [],
      series: [{ starts_at: '2026-03-10T00:00:00.000Z', currencies: [] }],
      needs_attention: [],
    })
  })

  it('says how much is not counted yet', async () => {
    await sale('4.00')
    await service.runJob('seal events')
    const { data } = await dashboard.read(Overview, '/api/overview?from=2026-03-10&to=2026-03-10')
    expect(data.uncounted).toBeGreaterThan(0)
    expect((await overview('from=2026-03-10&to=2026-03-10')).uncounted).toBe(0)
  })

  it('is of the last 30 days where none are asked for', async () => {
    const { to, time_zone: zone, series } = await overview('')
    expect([to, zone, series.length]).toEqual([new Date().toISOString().slice(0, 10), 'UTC', 30])
  })

  it.each([
    'from=2026-03-10',
    'from=2026-03-10&to=2026-02-31',
    'from=2026-03-11&to=2026-03-10',
    'from=2025-01-01&to=2026-03-10',
    'from=2026-03-10&to=2026-03-10&step=minute',
    'from=2026-03-10&to=2026-03-10&time_zone=Atlantis',
    'from=2026-03-10&to=2026-03-10&merchant=1',
  ])('?%s: 400', async (query) => {
    expect((await dashboard.get(`/api/overview?${query}`)).statusCode).toBe(400)
  })
})
