import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServiceClient } from '../charges/service-client.ts'
import { startService } from '../charges/start-service.ts'
import type { Bed } from './lists.ts'

const PORT = 22_050
const CLIENTS = 4
const TOKENS = 12_000
const PAUSE_MS = 20

/** Charges that come all the time while something else is done. */
export interface Watch {
  /** Does `work`, and says how long it and the pairs of that time took; `work` may give words about itself. */
  watch: (what: string, work: () => Promise<string>) => Promise<void>
  stop: () => Promise<void>
}

export async function openWatch(
  { folder, connectionString }: Pick<Bed, 'folder' | 'connectionString'>,
  say: (line: string) => void,
): Promise<Watch> {
  const { child, keys } = await startService({ port: PORT, dataDir: folder, databaseUrl: connectionString })
  const clients = await createServiceClient({ ...keys, port: PORT, clients: CLIENTS })
  await clients.prepare(TOKENS)
  return {
    async watch(what, work) {
      const { words, seconds, took } = await besidePairs(clients.authoriseAndCapture, work)
      const sorted = took.toSorted((one, other) => one - other)
      const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? NaN).toFixed(0)
      say(
        `${what}: ${seconds.toFixed(1)} s${words}; ${String(took.length)} pairs meanwhile, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`,
      )
    },
    async stop() {
      clients.close()
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** `took`: how long each pair took, in ms. */
async function besidePairs(pair: () => Promise<void>, work: () => Promise<string>) {
  const took: number[] = []
  let isOver = false
  const client = async () => {
    while (!isOver) {
      const began = performance.now()
      await pair()
      took.push(performance.now() - began)
      await sleep(PAUSE_MS)
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, client))
  const began = performance.now()
  const words = await work()
  const seconds = (performance.now() - began) / 1000
  isOver = true
  await clients
  return { words, seconds, took }
}
