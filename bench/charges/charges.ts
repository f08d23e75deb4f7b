import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { startEmbeddedPostgres } from '../../src/service/platform/database/embedded/embedded-postgres.ts'
import { paceOf } from './pace.ts'
import type { Pace } from './pace.ts'
import { createPgbench } from './pgbench.ts'
import type { Pgbench } from './pgbench.ts'
import { postgresMs, postmasterOf, processorMs } from './processor-time.ts'
import { createServiceClient } from './service-client.ts'
import { startService } from './start-service.ts'
import type { Keys } from './start-service.ts'

const PORT = 48_280
/** Eight clients pay for so long before anything is measured, so that the service's code is compiled, as in a service that runs. */
const WARM_SECONDS = 3
/** More pairs a second than `clients` can reach here. */
const maxPerSecond = (clients: number) => Math.min(1600, 800 * clients)
const Memory = v.object({ memory: v.number() })

/** What is measured, and what it is measured with. */
interface Bed {
  keys: Keys
  pgbench: Pgbench | null
  /** How long each pace is measured, in s. */
  seconds: number
  /** The ports of the service's processes. */
  ports: number[]
  /** Process ids of the service's processes and of PostgreSQL's first process. */
  service: number[]
  postmaster: number
}

/** A pace, and how much processor time one pair took in the service, the database and the client, in µs. */
interface Costs extends Pace {
  service: number
  database: number
  client: number
}

/**
 * Authorise + capture pairs a second by HTTP, next to pgbench running the same statements, by turns on the same
 * embedded PostgreSQL (fsync on). Service, server and clients share the machine. With `--processes 2` the clients go to two processes
 * of the service by turns, as `SVC_PROCESSES` starts them.
 */
export async function benchCharges(say: (line: string) => void, parameters: string[]): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: {
      clients: { type: 'string', default: '1,8,32,64' },
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '2' },
      processes: { type: 'string', default: '1' },
    },
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  chmodSync(dataDir, 0o711)
  const server = await startEmbeddedPostgres(dataDir, say)
  const ports = Array.from({ length: Number(values.processes) }, (_, at) => PORT + at)
  const services = []
  for (const port of ports)
    services.push(await startService({ port, dataDir, databaseUrl: server.connectionString }))
  const [first] = services
  if (first === undefined) throw new Error('--processes is the number of processes, from 1')
  const { child, keys } = first
  const pgbench = createPgbench(server.connectionString)
  if (pgbench === null) say('pgbench is not installed (Debian: postgresql-contrib), so there is no yardstick')
  say('authorise + capture, pairs a second (p50 / p99 in ms of one pair)')
  say(
    'clients   service                     pgbench                     ratio     µs of a processor for a pair',
  )
  const postmaster = postmasterOf(server.cluster)
  const bed = {
    keys,
    pgbench,
    seconds: Number(values.seconds),
    service: services.map((one) => one.child.pid ?? 0),
    ports,
    postmaster,
  }
  await servicePace({ ...bed, seconds: WARM_SECONDS }, 8)
  for (const clients of values.clients.split(',').map(Number))
    await compare(bed, clients, Number(values.rounds), say)
  child.send('memory')
  const { memory } = v.parse(Memory, (await once(child, 'message'))[0])
  say(`service process: ${String(Math.round(memory / 1e6))} MB resident`)
  for (const service of services) {
    service.child.disconnect()
    await once(service.child, 'exit')
  }
  await server.stop()
  rmSync(dataDir, { recursive: true })
}

async function compare(
  bed: Bed,
  clients: number,
  rounds: number,
  say: (line: string) => void,
): Promise<void> {
  const best: { service?: Costs; pgbench?: Pace | undefined } = {}
  for (let round = 0; round < rounds; round += 1) {
    best.service = faster(best.service, await servicePace(bed, clients))
    if (bed.pgbench !== null)
      best.pgbench = faster(best.pgbench, await bed.pgbench.pace(clients, bed.seconds))
  }
  const ratio = ((best.service?.perSecond ?? NaN) / (best.pgbench?.perSecond ?? NaN)).toFixed(2)
  say(
    `${String(clients).padEnd(10)}${words(best.service)}${words(best.pgbench)}${ratio.padEnd(10)}${costs(best.service)}`,
  )
}

async function servicePace(bed: Bed, clients: number): Promise<Costs> {
  const client = await createServiceClient({ ...bed.keys, ports: bed.ports, clients: Math.max(clients, 16) })
  await client.prepare(maxPerSecond(clients) * (bed.seconds + 1))
  await paceOf(clients, 1, client.authoriseAndCapture)
  const look = () => [
    sumOf(bed.service.map(processorMs)),
    postgresMs(bed.postmaster),
    processorMs(process.pid),
  ]
  const before = look()
  const pace = await paceOf(clients, bed.seconds, client.authoriseAndCapture)
  const pairs = pace.perSecond * bed.seconds
  const [service = NaN, database = NaN, own = NaN] = look().map(
    (ms, at) => ((ms - (before[at] ?? 0)) * 1000) / pairs,
  )
  client.close()
  return { ...pace, service, database, client: own }
}

function faster<Known extends Pace>(known: Known | undefined, pace: Known): Known {
  return known !== undefined && known.perSecond > pace.perSecond ? known : pace
}

function words(pace: Pace | undefined): string {
  if (pace === undefined) return '-'.padEnd(28)
  return `${pace.perSecond.toFixed(0).padStart(5)} (${pace.p50.toFixed(1)} / ${pace.p99.toFixed(1)})`.padEnd(
    28,
  )
}

function costs(of: Costs | undefined): string {
  if (of === undefined) return '-'
  return `service ${of.service.toFixed(0)}, database ${of.database.toFixed(0)}, client ${of.client.toFixed(0)}`
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
