import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { eventSql } from '../../platform/events.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { checkChain, sealEvents, verifyChain } from './audit-log.ts'
import { countUnsealed, readChainState, readHead, sealStatement } from './chain-store.ts'

const happen = testStatement(
  't_happen',
  eventSql({
    id: "$1::text || '-' || n",
    merchant: "'m'",
    type: "'charge.captured'",
    subject: "'c' || n",
    actor: "'merchant'",
    facts:
      "jsonb_build_object('b', 'Ω', 'amount', n, 'a', jsonb_build_array(1, jsonb_build_object('z', 1, 'y', null)))",
    from: 'generate_series(1, $2::int) AS n',
  }),
)

let database: Database
const sealing = sealStatement(({ from }) => `SELECT 1 FROM ${from}`)
const seal = () => sealEvents(database, sealing)
beforeEach(async () => {
  database = await createMigratedDatabase()
})
afterEach(() => database.close())

describe('the chain', () => {
  beforeEach(() => database.run(happen, ['first', 1200]))

  it('many sealers at once make one chain without a gap, each event in it once', async () => {
    const sealers = Array.from({ length: 8 }, seal)
    await Promise.all([...sealers, database.run(happen, ['later', 1500])])
    while ((await countUnsealed(database)) > 0) await Promise.all([seal(), seal()])
    const verdict = await verifyChain(database, null)
    expect(verdict).toMatchObject({ kind: 'intact', head: { length: 2700 } })
    const count = testStatement<{ seqs: number; ids: number; last: number }>(
      't_count',
      'SELECT count(*) AS seqs, count(DISTINCT id) AS ids, max(seq) AS last FROM events',
    )
    expect(await database.run(count, [])).toEqual([{ seqs: 2700, ids: 2700, last: 2700 }])
  })

  it('a chain is intact while it goes on growing', async () => {
    await seal()
    const growing = Array.from({ length: 20 }, async (_, round) => {
      await database.run(happen, [`round-${String(round)}`, 60])
      await seal()
      expect(await verifyChain(database, null)).toMatchObject({ kind: 'intact' })
    })
    await Promise.all(growing)
    await seal()
    expect(await verifyChain(database, null)).toMatchObject({ kind: 'intact', head: { length: 2400 } })
  })

  const exportEvents = testStatement<{ noted: string; event: string }>(
    't_export',
    // As docs/operating.md gives it to auditors.
    `SELECT encode(hash, 'hex') AS noted, json_build_array(seq, id, merchant_id, type, subject, actor, facts,
       to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text AS event
     FROM events ORDER BY seq`,
  )
  /** The canonical form of what these events hold: names sorted, no white space. */
  const canonical = (json: string): string =>
    JSON.stringify(JSON.parse(json), (_name, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
        : value,
    )

  it('a chain can be verified from the rows alone, to the fraction of a millisecond', async () => {
    await database.script(
      `UPDATE event_outbox SET created_at = '2026-03-04 05:06:07.9999+01' WHERE id = 'first-7'`,
    )
    await seal()
    let end: Buffer = Buffer.alloc(32)
    for (const { noted, event } of await database.run(exportEvents, [])) {
      end = createHash('sha256').update(end).update(canonical(event)).digest()
      expect(end.toString('hex')).toBe(noted)
    }
    expect(end).toEqual((await readHead(database)).hash)
  })

  describe('verifying finds out that', () => {
    it.each([
      ['a fact is changed', `UPDATE events SET facts = '{"amount": 1}' WHERE seq = 700`, 700],
      ['an actor is changed', `UPDATE events SET actor = 'service' WHERE seq = 1`, 1],
      ['a time is changed', `UPDATE events SET created_at = created_at - interval '1 ms' WHERE seq = 2`, 2],
      [
        'a hash is changed',
        `UPDATE events SET hash = decode(repeat('00', 32), 'hex') WHERE seq = 1000`,
        1000,
      ],
      ['one is deleted', 'DELETE FROM events WHERE seq = 3', 3],
      [
        'one is deleted and the rest moved up',
        'DELETE FROM events WHERE seq = 1200; UPDATE event_chain SET length = 1199',
        1199,
      ],
      [
        'two change places',
        `UPDATE events SET seq = CASE seq WHEN 10 THEN -11 ELSE -10 END WHERE seq IN (10, 11);
         UPDATE events SET seq = -seq WHERE seq < 0`,
        10,
      ],
      [
        'one is put in at the end',
        `INSERT INTO events SELECT 1201, 'x', merchant_id, type, subject, actor, facts, created_at, hash FROM events WHERE seq = 1200`,
        1201,
      ],
      [
        'one is put in between',
        `UPDATE events SET seq = seq + 10000 WHERE seq > 5; UPDATE events SET seq = seq - 9999 WHERE seq > 10000;
         INSERT INTO events SELECT 6, 'x', merchant_id, type, subject, actor, facts, created_at, hash FROM events WHERE seq = 5;
         UPDATE event_chain SET length = length + 1`,
        6,
      ],
      ['the end is cut off', 'DELETE FROM events WHERE seq > 1190', 1191],
      ['all is deleted', 'DELETE FROM events', 1],
      ['the head is set back', 'UPDATE event_chain SET length = 1190', 1191],
      ['the head has another hash', `UPDATE event_chain SET hash = decode(repeat('01', 32), 'hex')`, 1200],
    ])('%s', async (_name, tampering, seq) => {
      await seal()
      expect(await verifyChain(database, null)).toMatchObject({ kind: 'intact', head: { length: 1200 } })
      await database.script(tampering)
      expect(await verifyChain(database, null)).toMatchObject({ kind: 'broken', seq })
    })

    it('all of the chain was made anew, by a head that was noted before', async () => {
      await seal()
      const noted = await readHead(database)
      expect(await verifyChain(database, noted)).toMatchObject({ kind: 'intact' })
      await database.script(`
        INSERT INTO event_outbox SELECT id, merchant_id, type, subject, 'nobody', facts, created_at FROM events;
        DELETE FROM events; UPDATE event_chain SET length = 0, hash = decode(repeat('00', 32), 'hex')`)
      await seal()
      expect(await verifyChain(database, null)).toMatchObject({ kind: 'intact' })
      expect(await verifyChain(database, noted)).toMatchObject({ kind: 'broken', seq: 1200 })
      await database.script(
        'DELETE FROM events WHERE seq > 100; UPDATE event_chain SET length = 100, hash = (SELECT hash FROM events WHERE seq = 100)',
      )
      expect(await verifyChain(database, null)).toMatchObject({ kind: 'intact' })
      expect(await verifyChain(database, noted)).toMatchObject({ kind: 'broken', seq: 101 })
    })

    it('the head is gone, and says so', async () => {
      await database.script('DELETE FROM event_chain')
      await expect(verifyChain(database, null)).rejects.toThrow('head of the audit log is gone')
    })
  })
})

const isDue = testStatement(
  't_chain_due',
  "UPDATE event_chain_check SET due_at = now() - interval '1 second'",
)

let faults: number[]
const onBroken = (seq: number) => faults.push(seq)
const check = () => checkChain(database, onBroken)
beforeEach(() => {
  faults = []
})

async function sealed(name: string, count: number) {
  await database.run(happen, [name, count])
  while ((await countUnsealed(database)) > 0) await seal()
}
/** Steps until a round has ended: only then do `verifiedAt` and `brokenAt` change. */
async function round() {
  await database.run(isDue, [])
  const before = (await readChainState(database)).verifiedAt?.getTime()
  for (let steps = 1; steps < 20; steps += 1) {
    await check()
    const { verifiedAt, brokenAt } = await readChainState(database)
    if (verifiedAt?.getTime() !== before || brokenAt !== null) return steps
  }
  throw new Error('the round does not end')
}

describe('the check of the chain', () => {
  it('goes in steps of a thousand events, up to the end that there is then', async () => {
    await sealed('first', 2500)
    expect(await readChainState(database)).toEqual({
      length: 2500,
      verifiedLength: 0,
      verifiedAt: null,
      brokenAt: null,
    })
    expect(await round()).toBe(3)
    expect(await readChainState(database)).toMatchObject({
      length: 2500,
      verifiedLength: 2500,
      brokenAt: null,
    })
    await sealed('later', 10)
    expect(await readChainState(database)).toMatchObject({ length: 2510, verifiedLength: 2500 })
    await round()
    expect(await readChainState(database)).toMatchObject({ length: 2510, verifiedLength: 2510 })
  })

  it('is made by one process at a time', async () => {
    await sealed('first', 3500)
    for (let turn = 0; turn < 20; turn += 1) await Promise.all([check(), check(), check(), check()])
    expect(await readChainState(database)).toMatchObject({ verifiedLength: 3500, brokenAt: null })
    expect(faults).toEqual([])
  })

  it('pauses between two rounds', async () => {
    await sealed('first', 5)
    await round()
    const { verifiedAt } = await readChainState(database)
    await sealed('later', 5)
    await check()
    expect(await readChainState(database)).toMatchObject({ verifiedLength: 5, verifiedAt })
  })

  it.each([
    ['changed', 'UPDATE events SET facts = \'{"amount": 1000000}\' WHERE seq = 1700', 1700],
    ['deleted', 'DELETE FROM events WHERE seq = 1700', 1700],
    ['changed, with a hash of its own', "UPDATE events SET hash = '\\x00' WHERE seq = 3", 3],
    ['deleted at the end', 'DELETE FROM events WHERE seq > 1990', 1991],
    ['given another actor', "UPDATE events SET actor = 'service' WHERE seq = 2000", 2000],
  ])('finds an event that was %s, also long after it was verified', async (_name, sql, place) => {
    await sealed('first', 2000)
    await round()
    await database.script(sql)
    await round()
    expect(await readChainState(database)).toMatchObject({ brokenAt: place, verifiedLength: 2000 })
    expect(faults).toEqual([place])
  })

  it('finds a chain that was made anew by the end that it had', async () => {
    await sealed('first', 20)
    await round()
    await database.script(
      "DELETE FROM events; UPDATE event_chain SET length = 0, hash = decode(repeat('00', 32), 'hex')",
    )
    await sealed('other', 30)
    await round()
    expect(await readChainState(database)).toMatchObject({ brokenAt: 20 })
  })

  it('says intact again once a whole round finds it so', async () => {
    await sealed('first', 20)
    await database.script("UPDATE events SET actor = 'service' WHERE seq = 7")
    await round()
    expect(await readChainState(database)).toMatchObject({ brokenAt: 7 })
    await database.script("UPDATE events SET actor = 'merchant' WHERE seq = 7")
    await database.run(isDue, [])
    await check()
    expect(await readChainState(database)).toMatchObject({ brokenAt: null, verifiedLength: 20 })
  })
})
