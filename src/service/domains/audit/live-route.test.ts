import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { LiveEvent } from '../../../contract/dashboard/live-event.ts'
import { openEvents, until } from '../../testing/event-source.ts'
import type { EventSourceDouble } from '../../testing/event-source.ts'
import { createTestDashboard } from '../../testing/test-dashboard.ts'
import type { TestDashboard } from '../../testing/test-dashboard.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { writeTestEvent } from '../../testing/write-test-event.ts'

let dashboard: TestDashboard
let service: TestService
let address: string
let cookie: string
let written = 0
const opened: EventSourceDouble[] = []
beforeAll(async () => {
  dashboard = await createTestDashboard()
  service = dashboard.service
  address = await dashboard.app.listen({ port: 0, host: '127.0.0.1' })
  cookie = dashboard.signIn()
})
afterAll(() => dashboard.close())
afterEach(async () => {
  for (const one of opened) one.close()
  await until(() => opened.splice(0).every((one) => one.isOver()))
})

async function listen(headers: Record<string, string> = {}) {
  const events = await openEvents(`${address}/api/live`, { cookie, ...headers })
  opened.push(events)
  return events
}
/** Something happens and is sealed; its event's id. */
async function happen(type = 'charge.captured') {
  written += 1
  const id = `event-${String(written)}`
  await writeTestEvent(service, { id, type, subject: 'c1' })
  await service.runJob('seal events')
  return id
}
const sealElsewhere = testStatement(
  't_seal_elsewhere',
  `WITH head AS (UPDATE event_chain SET length = length + 1 RETURNING length)
   INSERT INTO events (seq, id, merchant_id, type, subject, actor, facts, created_at, hash)
   SELECT length, 'sealed-elsewhere', $1, 't', 's', 'a', '{}', now(), '' FROM head`,
)
const tell = () => service.runJob('tell open dashboards')
const idsOf = (events: EventSourceDouble) => events.messages().map(({ id }) => id)

describe('the live events of a merchant', () => {
  it('come to every page that listens, each once and in their order', async () => {
    await happen()
    await tell()
    const pages = [await listen(), await listen()]
    const ids = [await happen(), await happen('agreement.accepted')]
    await tell()
    ids.push(await happen())
    await tell()
    await tell()
    for (const page of pages) {
      await until(() => page.messages().length >= 3)
      expect(idsOf(page)).toEqual(ids)
      const [first] = page.messages()
      expect(first?.['event']).toBe('happened')
      const event = v.parse(LiveEvent, JSON.parse(first?.['data'] ?? ''))
      expect(event).toMatchObject({ id: ids[0], type: 'charge.captured', subject: 'c1' })
    }
    expect(pages[0]?.headers['content-type']).toBe('text/event-stream')
    expect(pages[0]?.headers['cache-control']).toBe('no-store')
  })

  it('are that merchant’s alone', async () => {
    const { merchant } = await service.makeMerchant()
    await service.runJob('seal events')
    await tell()
    const other = await listen({ cookie: dashboard.signIn(merchant.id) })
    const page = await listen()
    const id = await happen()
    await tell()
    await until(() => page.messages().length > 0)
    expect([idsOf(page), idsOf(other)]).toEqual([[id], []])
  })

  it('go on after the last that a page has heard of', async () => {
    const [heard, ...missed] = [await happen(), await happen(), await happen()]
    await tell()
    const page = await listen({ 'last-event-id': heard })
    const next = await happen()
    await tell()
    await until(() => page.messages().length >= 3)
    expect(idsOf(page)).toEqual([...missed, next])
  })

  it('begin where this process last saw the chain end, so that a page misses none', async () => {
    await happen()
    await service.database.run(sealElsewhere, [service.merchant.merchant.id])
    const page = await listen()
    await tell()
    await until(() => page.messages().length > 0)
    expect(idsOf(page)).toEqual(['sealed-elsewhere'])
  })

  it('are to be loaded anew after an event that is not known, or another merchant’s', async () => {
    const { merchant } = await service.makeMerchant()
    const id = await happen()
    const unknown = await listen({ 'last-event-id': 'nothing' })
    const foreign = await listen({ cookie: dashboard.signIn(merchant.id), 'last-event-id': id })
    for (const page of [unknown, foreign]) {
      await until(() => page.messages().length > 0)
      expect(page.messages()).toEqual([{ event: 'reset', data: '' }])
    }
  })

  it('are to be loaded anew where too much has happened at once', async () => {
    const id = await happen()
    await tell()
    const page = await listen()
    await service.database.run(
      testStatement(
        't_many',
        `WITH head AS (UPDATE event_chain SET length = length + 10001 RETURNING length)
         INSERT INTO events (seq, id, merchant_id, type, subject, actor, facts, created_at, hash)
         SELECT length - n, 'many-' || n, 'm', 't', 's', 'a', '{}', now(), '' FROM head, generate_series(0, 10000) n`,
      ),
      [],
    )
    await tell()
    const late = await listen({ 'last-event-id': id })
    for (const one of [page, late]) {
      await until(() => one.messages().length > 0)
      expect(one.messages()).toEqual([{ event: 'reset', data: '' }])
    }
  })

  it('may be listened to by few pages of a user at once; others still may', async () => {
    const pages = [await listen(), await listen(), await listen(), await listen()]
    expect((await listen()).status).toBe(429)
    expect((await listen({ cookie: dashboard.signIn() })).status).toBe(200)
    pages[0]?.close()
    let again = await listen()
    while (again.status === 429) again = await listen()
    expect(again.status).toBe(200)
  })

  it('are for those who are signed in', async () => {
    expect((await listen({ cookie: 'svc_session=none' })).status).toBe(401)
  })
})
