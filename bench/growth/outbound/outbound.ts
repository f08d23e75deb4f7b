import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import * as v from 'valibot'
import { readConfig } from '../../../src/service/config.ts'
import { dashboardSender } from '../../dashboard/filling/merchant.ts'
import { openReading } from '../../dashboard/reading.ts'
import type { Reading } from '../../dashboard/reading.ts'
import type { Bed } from '../lists.ts'
import { startMeter } from './meter.ts'
import { startWorkers } from './workers.ts'
import type { Workers } from './workers.ts'

type Say = (line: string) => void

/** How many of the 1,000 webhooks (one for each merchant) have a server that never answers. */
const SILENT = 50
/** How many events are sealed, and then sent, while that is timed. */
const EVENTS = 20_000
const FEED_SECONDS = 30
/** How often events are fed. */
const FEED_MS = 100
/** How often the rest is counted. Each count costs the database as much as 100 messages. */
const LOOK_MS = 500

export interface OutboundSetting {
  /** Events a second that are fed while they are sealed and sent. */
  events: number
  /** Whether the webhooks' servers speak TLS. */
  tls: boolean
  /** Processes of the service. */
  processes: number
}

/** The measured service, which runs in this process, and the connections and processes beside it. */
interface Measured extends OutboundSetting {
  reading: Reading
  connectionString: string
  receiver: ChildProcess
}

/**
 * How many events a second are sealed, and how many are sent to 1,000 webhooks of which 50 never answer. Then both at once, while new
 * events come at an even rate: how far sealing and sending fall behind.
 */
export async function measureOutbound(
  { connectionString }: Bed,
  setting: OutboundSetting,
  say: Say,
): Promise<void> {
  const reading = await openReading(connectionString)
  const receiver = fork(join(import.meta.dirname, 'receiver.js'), setting.tls ? ['tls'] : [])
  // The receiver's certificate is self-signed: it is read and checked as any other, but accepted.
  if (setting.tls) process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  const measured = { ...setting, reading, connectionString, receiver }
  try {
    const { port } = v.parse(v.object({ port: v.number() }), (await once(receiver, 'message'))[0])
    await makeWebhooks(reading, `${setting.tls ? 'https' : 'http'}://127.1.%s.%s:${String(port)}/`)
    await takeEvents(reading.client, EVENTS + FEED_SECONDS * setting.events)
    await workOff(measured, ['seal events'], unsealed)
    await reading.client.query(FORGET_DUE)
    await feed(reading.client, EVENTS)
    say(`sealed: ${(await workOff(measured, ['seal events'], unsealed)).rate} events a second`)
    const sent = await workOff(measured, ['deliver webhooks'], undelivered)
    say(`sent, with ${String(SILENT)} of 1,000 webhooks silent: ${sent.rate} messages a second`)
    say(sent.words)
    // A stopped job does not deliver again, so another service is composed.
    const another = await openReading(connectionString)
    try {
      await bothAtOnce({ ...measured, reading: another }, say)
    } finally {
      await another.close()
    }
  } finally {
    receiver.disconnect()
    await reading.close()
  }
}

/** Makes a webhook for each merchant that has none, each at its own address. The one of the merchant with half of all charges answers. */
async function makeWebhooks({ client, service, session }: Reading, address: string): Promise<void> {
  const send = dashboardSender(service, readConfig({}).dashboardUrl)
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM merchants m WHERE EXISTS (SELECT FROM charges WHERE merchant_id = m.id)
       AND NOT EXISTS (SELECT FROM webhook_endpoints WHERE merchant_id = m.id)`,
  )
  for (const { id } of rows) {
    session.merchantId = id
    await send('POST', '/v1/webhooks', { url: 'http://127.0.0.1/hook' })
  }
  await client.query(
    `UPDATE webhook_endpoints w SET disabled_at = NULL, url = format($1, nth / 250, nth % 250 + 1) || CASE
       WHEN nth <= $2 THEN 'silent' ELSE 'hook' END
     FROM (
       SELECT id, row_number() OVER (ORDER BY merchant_id IN (SELECT merchant_id FROM memberships), id) AS nth FROM webhook_endpoints
     ) numbered WHERE numbered.id = w.id`,
    [address, SILENT],
  )
}

/** Moves old events from the audit log to `bench_events`, from which `feed` adds them again. Their charges, which webhooks show, stay. */
async function takeEvents(client: pg.Client, max: number): Promise<void> {
  await client.query(`
    DROP TABLE IF EXISTS bench_events;
    CREATE UNLOGGED TABLE bench_events (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, LIKE event_outbox);
    WITH places AS MATERIALIZED (SELECT (random() * length)::bigint AS seq FROM event_chain, generate_series(1, ${String(2 * max)})),
    taken AS (
      DELETE FROM events WHERE seq = ANY (ARRAY(SELECT seq FROM places)) AND created_at < now() - interval '40 days'
        AND type LIKE 'charge.%'
      RETURNING id, merchant_id, type, subject, actor, facts, created_at
    )
    INSERT INTO bench_events (id, merchant_id, type, subject, actor, facts, created_at) SELECT * FROM taken;
    ANALYZE bench_events;
    DELETE FROM webhook_deliveries WHERE event_id IN (SELECT id FROM bench_events)`)
}

async function feed(client: pg.Client, events: number): Promise<void> {
  const { rowCount } = await client.query(
    `WITH fed AS (DELETE FROM bench_events WHERE n <= (SELECT min(n) FROM bench_events) + $1 - 1 RETURNING *)
     INSERT INTO event_outbox (id, merchant_id, type, subject, actor, facts) SELECT id, merchant_id, type, subject, actor, facts FROM fed`,
    [events],
  )
  if (rowCount !== events)
    throw new Error('there are too few old events: measure more charges, or a new folder')
}

/** Drops the deliveries that earlier measurements have left. */
const FORGET_DUE =
  'UPDATE webhook_deliveries SET next_at = NULL, gave_up_at = now() WHERE next_at IS NOT NULL'

const unsealed = 'SELECT count(*)::int AS left FROM event_outbox'
/** Deliveries of the fed events that servers which answer have not got yet. */
const undelivered = `SELECT count(*)::int AS left FROM webhook_deliveries d JOIN webhook_endpoints w ON w.id = d.endpoint_id
  WHERE d.next_at < now() + interval '2 minutes' AND d.attempts < 2 AND w.url LIKE '%hook'`

async function count(client: pg.Client, query: string): Promise<number> {
  return (await client.query<{ left: number }>(query)).rows[0]?.left ?? 0
}

/** Runs these jobs as a running service does, until `query` counts nothing any more. Says how many a second that was, and what a message cost. */
async function workOff(
  { reading, receiver, ...setting }: Measured,
  names: readonly string[],
  query: string,
): Promise<{ rate: string; words: string }> {
  const { client, service } = reading
  const much = await count(client, query)
  const workers = await startWorkers(service, setting, names)
  const meter = await startMeter(receiver, workers)
  const began = performance.now()
  while ((await count(client, query)) > 0) await sleep(LOOK_MS)
  const rate = ((much * 1000) / (performance.now() - began)).toFixed(0)
  const { words } = await meter()
  await workers.stop()
  return { rate, words }
}

async function bothAtOnce(measured: Measured, say: Say): Promise<void> {
  const workers = await startWorkers(measured.reading.service, measured, [
    'seal events',
    'deliver webhooks',
    'count charges',
  ])
  try {
    await feedBeside(measured, workers, say)
  } finally {
    await workers.stop()
  }
}

/** Feeds events while they are sealed and sent, and says how far sealing and sending fall behind. */
async function feedBeside(
  { reading, receiver, events }: Measured,
  workers: Workers,
  say: Say,
): Promise<void> {
  const { client } = reading
  const meter = await startMeter(receiver, workers)
  const began = performance.now()
  let fed = 0
  let maxUnsealed = 0
  while (performance.now() - began < FEED_SECONDS * 1000) {
    const due = Math.floor(((performance.now() - began) / 1000) * events)
    if (due > fed) await feed(client, due - fed)
    fed = due
    await sleep(FEED_MS)
    maxUnsealed = Math.max(maxUnsealed, await count(client, unsealed))
  }
  const seconds = (performance.now() - began) / 1000
  const { taken: sent, words } = await meter()
  const left = await count(client, undelivered)
  say(
    `both at once, fed ${(fed / seconds).toFixed(0)} events a second for ${seconds.toFixed(0)} s: at most ${String(maxUnsealed)} unsealed; ${(sent / seconds).toFixed(0)} messages a second sent, ${String(left)} left for servers that answer`,
  )
  say(words)
}
