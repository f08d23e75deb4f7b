import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createServiceClient } from '../charges/service-client.ts'
import { startService } from '../charges/start-service.ts'
import type { Bed } from './lists.ts'

const PORT = 22_050
const CLIENTS = 4
const TOKENS = 12_000
const PAUSE_MS = 20
/** The longest wait for a lock that is going on, in ms. Statements that make an index concurrently wait for long by design, and don't count. */
const LONGEST_WAIT = `
  SELECT coalesce(max(extract(epoch FROM clock_timestamp() - l.waitstart) * 1000), 0)::float8 AS ms
  FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid WHERE NOT l.granted AND a.query NOT LIKE '% CONCURRENTLY %'`

/** Makes charges all the time while something else is done. */
export interface Watch {
  /** Does `work`, and says how long it took, and how long the pairs took meanwhile; `work` may return words to add. */
  watch: (what: string, work: () => Promise<string>) => Promise<void>
  stop: () => Promise<void>
}

export async function openWatch(
  { folder, connectionString }: Pick<Bed, 'folder' | 'connectionString'>,
  say: (line: string) => void,
): Promise<Watch> {
  const { child, keys } = await startService({ port: PORT, dataDir: folder, databaseUrl: connectionString })
  const clients = await createServiceClient({ ...keys, ports: [PORT], clients: CLIENTS })
  await clients.prepare(TOKENS)
  const locks = new pg.Client({ connectionString })
  await locks.connect()
  const waited = async () => (await locks.query<{ ms: number }>(LONGEST_WAIT)).rows[0]?.ms ?? 0
  return {
    async watch(what, work) {
      const { words, seconds, took, lockMs } = await besidePairs(clients.authoriseAndCapture, waited, work)
      const sorted = took.toSorted((one, other) => one - other)
      const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? NaN).toFixed(0)
      say(
        `${what}: ${seconds.toFixed(1)} s${words}; ${String(took.length)} pairs meanwhile, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms, longest wait for a lock ${lockMs.toFixed(0)} ms`,
      )
    },
    async stop() {
      clients.close()
      await locks.end()
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** `took`: how long each pair took, in ms; `lockMs`: the longest wait for a lock that was seen. */
async function besidePairs(
  pair: () => Promise<void>,
  waited: () => Promise<number>,
  work: () => Promise<string>,
) {
  const took: number[] = []
  let lockMs = 0
  let isOver = false
  const client = async () => {
    while (!isOver) {
      const began = performance.now()
      await pair()
      took.push(performance.now() - began)
      await sleep(PAUSE_MS)
    }
  }
  const look = async () => {
    while (!isOver) {
      lockMs = Math.max(lockMs, await waited())
      await sleep(PAUSE_MS)
    }
  }
  const clients = Promise.all([...Array.from({ length: CLIENTS }, client), look()])
  const began = performance.now()
  const words = await work()
  const seconds = (performance.now() - began) / 1000
  isOver = true
  await clients
  return { words, seconds, took, lockMs }
}
