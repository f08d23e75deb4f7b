import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { createEventLog } from './event-log.ts'
import type { EventLog } from './event-log.ts'
import { sealEvents } from './seal-events.ts'
import { verifyChain } from './verify-chain.ts'
import { writeEvent } from './write-event.ts'
import { testStatement } from '../../testing/test-statement.ts'

const happen = testStatement(
  't_happen',
  writeEvent({
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
let log: EventLog
beforeEach(async () => {
  database = await createMigratedDatabase()
  log = createEventLog(database, ({ from }) => `SELECT 1 FROM ${from}`)
  await database.run(happen, ['first', 1200])
})
afterEach(() => database.close())

it('many sealers at once make one chain without a gap, each event in it once', async () => {
  const sealers = Array.from({ length: 8 }, () => sealEvents(log))
  await Promise.all([...sealers, database.run(happen, ['later', 1500])])
  while ((await log.countUnsealed()) > 0) await Promise.all([sealEvents(log), sealEvents(log)])
  const verdict = await verifyChain(log, null)
  expect(verdict).toMatchObject({ kind: 'intact', head: { length: 2700 } })
  const count = testStatement<{ seqs: number; ids: number; last: number }>(
    't_count',
    'SELECT count(*) AS seqs, count(DISTINCT id) AS ids, max(seq) AS last FROM events',
  )
  expect(await database.run(count, [])).toEqual([{ seqs: 2700, ids: 2700, last: 2700 }])
})

it('a chain is intact while it goes on growing', async () => {
  await sealEvents(log)
  const growing = Array.from({ length: 20 }, async (_, round) => {
    await database.run(happen, [`round-${String(round)}`, 60])
    await sealEvents(log)
    expect(await verifyChain(log, null)).toMatchObject({ kind: 'intact' })
  })
  await Promise.all(growing)
  await sealEvents(log)
  expect(await verifyChain(log, null)).toMatchObject({ kind: 'intact', head: { length: 2400 } })
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
  await sealEvents(log)
  let end: Buffer = Buffer.alloc(32)
  for (const { noted, event } of await database.run(exportEvents, [])) {
    end = createHash('sha256').update(end).update(canonical(event)).digest()
    expect(end.toString('hex')).toBe(noted)
  }
  expect(end).toEqual((await log.head()).hash)
})

describe('whoever lays hands on the events is found out', () => {
  it.each([
    ['a fact is changed', `UPDATE events SET facts = '{"amount": 1}' WHERE seq = 700`, 700],
    ['an actor is changed', `UPDATE events SET actor = 'service' WHERE seq = 1`, 1],
    ['a time is changed', `UPDATE events SET created_at = created_at - interval '1 ms' WHERE seq = 2`, 2],
    ['a hash is changed', `UPDATE events SET hash = decode(repeat('00', 32), 'hex') WHERE seq = 1000`, 1000],
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
    await sealEvents(log)
    expect(await verifyChain(log, null)).toMatchObject({ kind: 'intact', head: { length: 1200 } })
    await database.script(tampering)
    expect(await verifyChain(log, null)).toMatchObject({ kind: 'broken', seq })
  })

  it('even if the chain was made anew, by a head that was noted before', async () => {
    await sealEvents(log)
    const noted = await log.head()
    expect(await verifyChain(log, noted)).toMatchObject({ kind: 'intact' })
    await database.script(`
      INSERT INTO event_outbox SELECT id, merchant_id, type, subject, 'nobody', facts, created_at FROM events;
      DELETE FROM events; UPDATE event_chain SET length = 0, hash = decode(repeat('00', 32), 'hex')`)
    await sealEvents(log)
    expect(await verifyChain(log, null)).toMatchObject({ kind: 'intact' })
    expect(await verifyChain(log, noted)).toMatchObject({ kind: 'broken', seq: 1200 })
    await database.script(
      'DELETE FROM events WHERE seq > 100; UPDATE event_chain SET length = 100, hash = (SELECT hash FROM events WHERE seq = 100)',
    )
    expect(await verifyChain(log, null)).toMatchObject({ kind: 'intact' })
    expect(await verifyChain(log, noted)).toMatchObject({ kind: 'broken', seq: 101 })
  })

  it('a head that is gone is said to be gone', async () => {
    await database.script('DELETE FROM event_chain')
    await expect(verifyChain(log, null)).rejects.toThrow('head of the audit log is gone')
  })
})
