import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { startEmbeddedPostgres } from '../src/service/database/embedded-postgres.ts'
import { createBareClient } from './bare-client.ts'
import { paceOf } from './pace.ts'
import type { Pace } from './pace.ts'
import { createServiceClient } from './service-client.ts'

const PORT = 48_280
const SECONDS = 4
const ROUNDS = 2
const MOST_PER_SECOND = 1500
const Keys = v.object({ publicKey: v.string(), secretKey: v.string() })
const Memory = v.object({ memory: v.number() })

/**
 * Authorise + capture pairs a second by HTTP, next to the same statements by a bare client, alternating on the same
 * embedded PostgreSQL (fsync on). Service, server and client share the machine.
 */
export async function benchCharges(say: (line: string) => void): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  chmodSync(dataDir, 0o711)
  const server = await startEmbeddedPostgres(dataDir, say)
  const { child, keys } = await startService(dataDir, server.connectionString)
  say('authorise + capture, pairs a second (p50 / p99 in ms of one pair)')
  say('clients   service                     bare statements             ratio')
  for (const clients of [1, 8, 32]) {
    const best: { service?: Pace; bare?: Pace } = {}
    for (let round = 0; round < ROUNDS; round += 1) {
      best.service = faster(best.service, await servicePace(keys, clients))
      best.bare = faster(best.bare, await barePace(server.connectionString, clients))
    }
    const ratio = (best.service?.perSecond ?? NaN) / (best.bare?.perSecond ?? NaN)
    say(`${String(clients).padEnd(10)}${words(best.service)}${words(best.bare)}${ratio.toFixed(2)}`)
  }
  child.send('memory')
  const [{ memory }] = [v.parse(Memory, (await once(child, 'message'))[0])]
  say(`service process: ${Math.round(memory / 1e6)} MB resident`)
  child.disconnect()
  await once(child, 'exit')
  await server.stop()
  rmSync(dataDir, { recursive: true })
}

async function startService(
  dataDir: string,
  databaseUrl: string,
): Promise<{ child: ChildProcess; keys: v.InferOutput<typeof Keys> }> {
  const env = { ...process.env, SVC_PORT: String(PORT), SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: databaseUrl }
  const child = fork(join(import.meta.dirname, 'instant-service.js'), { env })
  return { child, keys: v.parse(Keys, (await once(child, 'message'))[0]) }
}

async function servicePace(keys: v.InferOutput<typeof Keys>, clients: number): Promise<Pace> {
  const client = createServiceClient({ ...keys, port: PORT, clients: Math.max(clients, 16) })
  await client.prepare(MOST_PER_SECOND * (SECONDS + 1))
  await paceOf(clients, 1, client.authoriseAndCapture)
  const pace = await paceOf(clients, SECONDS, client.authoriseAndCapture)
  client.close()
  return pace
}

async function barePace(connectionString: string, clients: number): Promise<Pace> {
  const client = await createBareClient(connectionString, clients, MOST_PER_SECOND * 2 * (SECONDS + 1))
  await paceOf(clients, 1, client.authoriseAndCapture)
  const pace = await paceOf(clients, SECONDS, client.authoriseAndCapture)
  await client.close()
  return pace
}

function faster(known: Pace | undefined, pace: Pace): Pace {
  return known !== undefined && known.perSecond > pace.perSecond ? known : pace
}

function words(pace: Pace | undefined): string {
  if (pace === undefined) return ''
  return `${pace.perSecond.toFixed(0).padStart(5)} (${pace.p50.toFixed(1)} / ${pace.p99.toFixed(1)})`.padEnd(
    28,
  )
}
