import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChainView, EventView } from '../../../contract/dashboard/audit.ts'
import { createTestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { createDashboardBed } from './testing/dashboard-bed.ts'
import type { DashboardBed } from './testing/dashboard-bed.ts'
import { asking } from './testing/signed-in.ts'

let service: DashboardBed['service']
let sessions: DashboardBed['sessions']
let ask: DashboardBed['ask']
let owner: DashboardBed['owner']
let stranger: DashboardBed['stranger']
beforeAll(async () => {
  ;({ service, sessions, ask, owner, stranger } = await createDashboardBed())
})
afterAll(() => service.close())

/** Events of the merchant's server, a millisecond apart, after one event of a person. */
const fill = testStatement(
  't_fill_events',
  `INSERT INTO event_outbox (id, merchant_id, type, subject, actor, facts, created_at)
   SELECT lpad(to_hex(n), 24, '0'), $1, CASE WHEN n = 1 THEN 'user.acted' ELSE 'charge.captured' END, 'c' || n,
          CASE WHEN n = 1 THEN 'user:u1' ELSE 'merchant' END, '{}', '2026-01-01'::timestamptz + n * interval '1 millisecond'
   FROM generate_series(1, $2::int) AS n`,
)

async function page(query: Record<string, string>, cookie = owner) {
  const url = `/api/events?${new URLSearchParams(query).toString()}`
  const { status, body } = await ask(cookie, { url })
  expect(status).toBe(200)
  return { events: v.parse(v.array(EventView), body.resource.data), next: body.resource.next ?? null }
}
async function all(query: Record<string, string>) {
  const found: string[] = []
  let pages = 0
  for (let cursor: string | null = ''; cursor !== null; pages += 1) {
    const { events, next } = await page({ ...query, limit: '100', ...(cursor !== '' && { cursor }) })
    found.push(...events.map(({ id }) => id))
    cursor = next
  }
  return { found, pages }
}

describe('the audit log', () => {
  it('says who did what, and from where', async () => {
    const { _id } = await service.authorise()
    await ask(owner, { method: 'DELETE', url: `/v1/charges/${_id}/capture` })
    await service.runJob('seal events')
    const { events } = await page({ subject: _id })
    const person = `user:${owner.slice(-24)}`
    expect(events.map(({ type, actor }) => [type, actor])).toContainEqual(['charge.cancelled', person])
    const [act] = events.filter(({ type }) => type === 'user.acted')
    expect(act).toMatchObject({
      actor: person,
      facts: { address: '127.0.0.1', act: 'DELETE /v1/charges/:id/capture', status: 200 },
    })
    const byPeople = (await page({ actor: 'people' })).events.map(({ type }) => type)
    expect(byPeople.toSorted()).toEqual(['charge.cancelled', 'user.acted'])
    expect((await page({}, stranger)).events.map(({ subject }) => subject)).not.toContain(_id)
  })

  it('is searched by type, subject, actor and time, page by page', async () => {
    const merchantId = service.merchant.merchant.id
    await service.database.run(fill, [merchantId, 300])
    await service.runJob('seal events')
    const captured = await all({ type: 'charge.captured' })
    expect(captured.found).toHaveLength(299)
    expect(new Set(captured.found).size).toBe(299)
    expect(captured.found).toEqual([...captured.found].sort().reverse())
    expect((await page({ subject: 'c7' })).events).toHaveLength(1)
    const between = {
      'created_at.from': '2026-01-01T00:00:00.010Z',
      'created_at.to': '2026-01-01T00:00:00.020Z',
    }
    expect((await all(between)).found).toHaveLength(10)
    expect((await page({ actor: 'user:u1' })).events).toMatchObject([{ subject: 'c1' }])
  })

  it('is searched in parts if few of many events match', async () => {
    const other = await createTestService({ findSession: sessions.findSession })
    const { id } = other.merchant.merchant
    await other.database.run(fill, [id, 11_000])
    await other.runJob('seal events')
    await other.runJob('seal events')
    ask = asking(other)
    const cookie = sessions.open({ merchantId: id })
    const first = await page({ subject: 'c2' }, cookie)
    expect([first.events, first.next !== null]).toEqual([[], true])
    const second = await page({ subject: 'c2', cursor: first.next ?? '' }, cookie)
    const third = await page({ subject: 'c2', cursor: second.next ?? '' }, cookie)
    expect(third.events).toMatchObject([{ subject: 'c2' }])
    // The few of people are found at once, however many others there are.
    expect((await page({ actor: 'people', type: 'user.acted' }, cookie)).events).toMatchObject([
      { subject: 'c1' },
    ])
    ask = asking(service)
    await other.close()
  })

  it.each([
    ['limit=0', 'limit'],
    ['cursor=x', 'cursor'],
    ['created_at.from=yesterday', 'created_at.from'],
    ['who=me', 'who'],
  ])('refuses the query %s', async (query, path) => {
    expect(await ask(owner, { url: `/api/events?${query}` })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path }] } },
    })
  })
})

it('the chain is shown as last verified, and as broken after a change', async () => {
  const chain = async () =>
    v.parse(ChainView, (await ask(owner, { url: '/api/events/chain' })).body.resource.data)
  await service.runJob('seal events')
  await service.runJob('verify the audit log')
  const { length, ...state } = await chain()
  expect(state).toMatchObject({ is_intact: true, verified_length: length, broken_at: null })
  expect(state.verified_at).not.toBeNull()
  await service.database.script("UPDATE events SET actor = 'nobody' WHERE seq = 2")
  await service.database.script("UPDATE event_chain_check SET due_at = now() - interval '1 second'")
  await service.runJob('verify the audit log')
  expect(await chain()).toMatchObject({ is_intact: false, broken_at: 2 })
  expect(service.logged()).toContain('the audit log is not as it was sealed')
})
