import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { createChainCheckStore } from './chain-check-store.ts'
import type { ChainCheckStore } from './chain-check-store.ts'
import { createCheckChain } from './check-chain.ts'
import { createEventLog } from './event-log.ts'
import type { EventLog } from './event-log.ts'
import { sealEvents } from './seal-events.ts'
import { writeEvent } from './write-event.ts'

const happen = testStatement(
  't_happen_by_and_by',
  writeEvent({
    id: "$1::text || '-' || n",
    merchant: "'m'",
    type: "'charge.captured'",
    subject: "'c'",
    actor: "'merchant'",
    facts: "jsonb_build_object('amount', n)",
    from: 'generate_series(1, $2::int) AS n',
  }),
)
const isDue = testStatement(
  't_chain_due',
  "UPDATE event_chain_check SET due_at = now() - interval '1 second'",
)

let database: Database
let log: EventLog
let store: ChainCheckStore
let faults: number[]
let check: () => Promise<void>
beforeEach(async () => {
  database = await createMigratedDatabase()
  log = createEventLog(database, ({ from }) => `SELECT 1 FROM ${from}`)
  store = createChainCheckStore(database)
  faults = []
  check = createCheckChain({ log, store, onBroken: (seq) => faults.push(seq) })
})
afterEach(() => database.close())

async function sealed(name: string, count: number) {
  await database.run(happen, [name, count])
  while ((await log.countUnsealed()) > 0) await sealEvents(log)
}
/** Steps until a round has ended: `verifiedAt` and `brokenAt` change at the end of one alone. */
async function round() {
  await database.run(isDue, [])
  const before = (await store.state()).verifiedAt?.getTime()
  for (let steps = 1; steps < 20; steps += 1) {
    await check()
    const { verifiedAt, brokenAt } = await store.state()
    if (verifiedAt?.getTime() !== before || brokenAt !== null) return steps
  }
  throw new Error('the round does not end')
}

describe('the chain is verified by and by', () => {
  it('in steps of a thousand events, until the end that there is then', async () => {
    await sealed('first', 2500)
    expect(await store.state()).toEqual({ length: 2500, verifiedLength: 0, verifiedAt: null, brokenAt: null })
    expect(await round()).toBe(3)
    expect(await store.state()).toMatchObject({ length: 2500, verifiedLength: 2500, brokenAt: null })
    await sealed('later', 10)
    expect(await store.state()).toMatchObject({ length: 2510, verifiedLength: 2500 })
    await round()
    expect(await store.state()).toMatchObject({ length: 2510, verifiedLength: 2510 })
  })

  it('by one process at a time', async () => {
    await sealed('first', 3500)
    const others = Array.from({ length: 4 }, () =>
      createCheckChain({ log, store: createChainCheckStore(database), onBroken: (seq) => faults.push(seq) }),
    )
    for (let turn = 0; turn < 20; turn += 1) await Promise.all(others.map((other) => other()))
    expect(await store.state()).toMatchObject({ verifiedLength: 3500, brokenAt: null })
    expect(faults).toEqual([])
  })

  it('with a rest between two rounds', async () => {
    await sealed('first', 5)
    await round()
    const { verifiedAt } = await store.state()
    await sealed('later', 5)
    await check()
    expect(await store.state()).toMatchObject({ verifiedLength: 5, verifiedAt })
  })

  it.each([
    ['changed', 'UPDATE events SET facts = \'{"amount": 1000000}\' WHERE seq = 1700', 1700],
    ['deleted', 'DELETE FROM events WHERE seq = 1700', 1700],
    ['changed, with a hash of its own', "UPDATE events SET hash = '\\x00' WHERE seq = 3", 3],
    ['deleted at the end', 'DELETE FROM events WHERE seq > 1990', 1991],
    ['given another actor', "UPDATE events SET actor = 'service' WHERE seq = 2000", 2000],
  ])('and an event that was %s is found, also long after it was verified', async (_name, sql, place) => {
    await sealed('first', 2000)
    await round()
    await database.script(sql)
    await round()
    expect(await store.state()).toMatchObject({ brokenAt: place, verifiedLength: 2000 })
    expect(faults).toEqual([place])
  })

  it('and a chain that was made anew is told by the end that it had', async () => {
    await sealed('first', 20)
    await round()
    await database.script(
      "DELETE FROM events; UPDATE event_chain SET length = 0, hash = decode(repeat('00', 32), 'hex')",
    )
    await sealed('other', 30)
    await round()
    expect(await store.state()).toMatchObject({ brokenAt: 20 })
  })

  it('and is intact again once a whole round finds it so', async () => {
    await sealed('first', 20)
    await database.script("UPDATE events SET actor = 'service' WHERE seq = 7")
    await round()
    expect(await store.state()).toMatchObject({ brokenAt: 7 })
    await database.script("UPDATE events SET actor = 'merchant' WHERE seq = 7")
    await database.run(isDue, [])
    await check()
    expect(await store.state()).toMatchObject({ brokenAt: null, verifiedLength: 20 })
  })
})
