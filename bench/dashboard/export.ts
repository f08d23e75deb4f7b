import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { SIGNED_IN } from './start-dashboard.ts'
import type { DashboardProcess } from './start-dashboard.ts'

type Say = (line: string) => void

/** Memory is measured after each batch of this many rows. */
const ROWS_BETWEEN = 50_000
/** After so many rows garbage is collected, and then the heap is measured. */
const HEAP_AT = [50_000, 250_000, 450_000]
const SLOW_MS = 5000

/**
 * Exports all charges of the merchant twice: as fast as they come, and to a client that stops reading for a while, reads on and
 * disconnects. Says how fast it was, and how much memory the dashboard's process used meanwhile.
 */
export async function benchExport(dashboard: DashboardProcess, client: pg.Client, say: Say): Promise<void> {
  await exportAll(dashboard, say)
  await exportSlowly(dashboard, client, say)
}

async function exportAll({ addresses, memory }: DashboardProcess, say: Say): Promise<void> {
  const before = await memory('heap')
  const began = performance.now()
  const answer = await begin(addresses.dashboard)
  const firstByteMs = performance.now() - began
  const [resident, heaps]: [string[], string[]] = [[mega(before.rss)], [mega(before.heapUsed)]]
  let [rows, bytes, next] = [-1, 0, ROWS_BETWEEN]
  for await (const chunk of answer) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.length
    for (const byte of chunk) if (byte === LINE_FEED) rows += 1
    if (rows < next) continue
    resident.push(mega((await memory('as it is')).rss))
    if (HEAP_AT.includes(next)) heaps.push(mega((await memory('heap')).heapUsed))
    next += ROWS_BETWEEN
  }
  const seconds = (performance.now() - began) / 1000
  say(
    `\nexport: ${String(rows)} charges, ${mega(bytes)} MB in ${seconds.toFixed(0)} s, ${(rows / seconds).toFixed(0)} a second; ` +
      `first byte after ${firstByteMs.toFixed(0)} ms`,
  )
  say(`resident MB before, and each ${String(ROWS_BETWEEN)} rows: ${resident.join(' ')}`)
  say(`heap MB after collection before, and at ${HEAP_AT.join(', ')} rows: ${heaps.join(' ')}`)
}

/** A client that does not read for some time (its socket's buffer fills), then reads on, then disconnects. */
async function exportSlowly(
  { addresses, memory }: DashboardProcess,
  client: pg.Client,
  say: Say,
): Promise<void> {
  const before = await memory('heap')
  const answer = await begin(addresses.dashboard)
  answer.on('error', () => undefined)
  await sleep(SLOW_MS)
  const waiting = await memory('heap')
  const statements = [await statementsWithin(client, 1000)]
  answer.resume()
  statements.push(await statementsWithin(client, 1000))
  answer.destroy()
  await sleep(200)
  statements.push(await statementsWithin(client, 1000))
  const heaps = [before, waiting, await memory('heap')].map(({ heapUsed }) => mega(heapUsed))
  say(
    `heap MB before a slow client, after ${String(SLOW_MS / 1000)} s of it, after it has gone: ${heaps.join(' ')}`,
  )
  say(
    `is the database asked while it waits, reads on, has gone: ${statements.map((count) => (count > 0 ? 'yes' : 'no')).join(' ')}`,
  )
}

const LINE_FEED = 10

function begin(address: string): Promise<IncomingMessage> {
  const url = `${address}/api/charges.csv?time_zone=Australia/Adelaide`
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { cookie: SIGNED_IN } }, resolve).on('error', reject)
  })
}

/** How many connections begin a statement within so many ms, without the bench's own. */
async function statementsWithin(client: pg.Client, ms: number): Promise<number> {
  const now = (await client.query<{ now: Date }>('SELECT clock_timestamp() AS now')).rows[0]?.now
  await sleep(ms)
  const { rows } = await client.query<{ count: string }>(
    'SELECT count(*) FROM pg_stat_activity WHERE query_start > $1 AND pid <> pg_backend_pid() AND datname = current_database()',
    [now],
  )
  return Number(rows[0]?.count)
}

const mega = (bytes: number) => (bytes / 1e6).toFixed(0)
