import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ListedPayment } from '../../../contract/dashboard/payments/payment-list.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { asking, createTestSessions } from '../dashboard/testing/signed-in.ts'
import type { AskDashboard } from '../dashboard/testing/signed-in.ts'
import { agreementCalls } from './testing/agreement-calls.ts'

const sessions = createTestSessions()
let service: TestService
let ask: AskDashboard
let viewer: string
let gym: string
let water: string
beforeAll(async () => {
  service = await createTestService({ findSession: sessions.findSession })
  ask = asking(service)
  viewer = sessions.open({ merchantId: service.merchant.merchant.id, role: 'viewer' })
  const calls = await agreementCalls(service)
  gym = (await calls.createActive({ description: 'Gym' }))._id
  water = (await calls.createActive({ description: 'Water' }))._id
  for (const n of [1, 2, 3, 4]) {
    await calls.pay(n % 2 === 0 ? gym : water, { amount: '10.00', reference: `r${n}` })
    await service.database.run(spread, [`r${n}`, n])
  }
  await service.database.run(settle, ['r2'])
})
afterAll(() => service.close())

/** Payments a day apart. */
const spread = testStatement(
  't_spread_payments',
  "UPDATE agreement_payments SET created_at = '2026-11-20T00:00:00Z'::timestamptz + $2::int * interval '1 day' WHERE reference = $1",
)
const settle = testStatement(
  't_settle_payment',
  "UPDATE agreement_payments SET status = 'settled', ended_at = now(), next_at = NULL WHERE reference = $1",
)

async function page(query: Record<string, string> = {}, cookie = viewer) {
  const { status, body } = await ask(cookie, {
    url: `/api/payments?${new URLSearchParams(query).toString()}`,
  })
  expect(status).toBe(200)
  const listed = v.parse(v.array(ListedPayment), body.resource.data)
  return { listed, references: listed.map(({ reference }) => reference), next: body.resource.next ?? null }
}

describe('the payments of all agreements', () => {
  it('are listed newest first, with agreement and debtor', async () => {
    const { listed, references, next } = await page()
    expect(references).toEqual(['r4', 'r3', 'r2', 'r1'])
    expect(next).toBeNull()
    expect(listed[1]).toMatchObject({
      agreement_id: water,
      agreement_description: 'Water',
      debtor_name: 'Grace Hopper',
      amount: 10,
      status: 'received',
    })
  })

  it.each([
    [{ status: 'settled' }, ['r2']],
    [{ status: 'received' }, ['r4', 'r3', 'r1']],
    [{ 'created_at.from': '2026-11-22T00:00:00Z', 'created_at.to': '2026-11-24T00:00:00Z' }, ['r3', 'r2']],
  ])('are filtered by %j', async (query, references) => {
    expect((await page(query)).references).toEqual(references)
  })

  it('are filtered by agreement, and that by state', async () => {
    expect((await page({ agreement_id: gym })).references).toEqual(['r4', 'r2'])
    expect((await page({ agreement_id: gym, status: 'settled' })).references).toEqual(['r2'])
  })

  it.each([{}, { status: 'received' }])('go on page by page, each payment once: %j', async (query) => {
    const all = (await page(query)).references
    const found: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const next = await page({ ...query, limit: '1', ...(cursor !== '' && { cursor }) })
      found.push(...next.references)
      cursor = next.next
    }
    expect(found).toEqual(all)
  })

  it('are those of the merchant in view alone', async () => {
    const stranger = sessions.open({ merchantId: (await service.makeMerchant()).merchant.id })
    expect((await page({}, stranger)).references).toEqual([])
    expect((await page({ agreement_id: gym }, stranger)).references).toEqual([])
  })

  it.each(['status=lost', 'agreement_id=x', 'cursor=x', 'who=me'])('refuse the query %s', async (query) => {
    expect((await ask(viewer, { url: `/api/payments?${query}` })).status).toBe(400)
  })
})
