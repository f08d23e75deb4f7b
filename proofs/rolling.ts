import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openBooks } from './books/books.ts'
import { inFolder } from './machines/folder.ts'
import type { AtEnd } from './machines/folder.ts'
import { addMerchant, revokeKey, rollSecretKey } from './machines/operator.ts'
import { startOwnPostgres } from './machines/own-postgres.ts'
import { dataDirOf, startService, VAULT_KEYS } from './machines/service-process.ts'
import type { ServiceProcess } from './machines/service-process.ts'
import { createHttpApi } from './merchant/http-api.ts'
import { createLoadBalancer } from './merchant/load-balancer.ts'
import type { LoadBalancer } from './merchant/load-balancer.ts'
import { createStrictBuyer } from './merchant/strict-buyer.ts'
import type { Say } from './say.ts'
import { someAtATime } from './some-at-a-time.ts'

const PROCESSES = [0, 1]

/** How much is done. */
interface Load {
  rounds: number
  clients: number
  /** A client's pause between two purchases: only in the short form, which runs beside other proofs. */
  restMs: number
}

const SHORT: Load = { rounds: 2, clients: 2, restMs: 20 }
const FULL: Load = { rounds: 20, clients: 8, restMs: 0 }

/** How long clients go on between one step and the next; no request takes that long. */
const PAUSE_MS = 1000
/** Many times as long as the load balancer needs to notice that a process drains. */
const DRAIN_SECONDS = 3

/**
 * Two processes from one source folder, with one data folder, on one PostgreSQL; the second can write nowhere. Under load the
 * merchant's secret key is rolled and the old one revoked, which every process refuses from that moment on; then a process
 * is drained and restarted, by turns, behind a load balancer that learns of it by `/health` alone. Not one request may fail.
 */
export async function rolling(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: { short: { type: 'boolean', default: false }, rounds: { type: 'string' } },
  })
  const load = values.short ? SHORT : FULL
  const rounds = Number(values.rounds ?? load.rounds)
  await inFolder((folder, atEnd) => rollUnderLoad(folder, atEnd, { ...load, rounds }, say))
}

async function rollUnderLoad(
  folder: string,
  atEnd: AtEnd,
  { rounds, clients, restMs }: Load,
  say: Say,
): Promise<void> {
  const { connectionString: databaseUrl, stop } = await startOwnPostgres(folder)
  atEnd(stop)
  const whyNot = whyNotReadOnly(folder)
  if (whyNot !== null) say(`without a read-only file system, which cannot be made here (${whyNot})`)
  const start = (number: number) => startOne(folder, number, databaseUrl, whyNot === null)
  const services = new Map<number, ServiceProcess>()
  atEnd(async () => {
    for (const service of services.values()) await service.stop()
  })
  for (const number of PROCESSES) services.set(number, await start(number))
  const place = { databaseUrl, vaultKeys: VAULT_KEYS }
  const { merchantId, ...keys } = await addMerchant(place)
  const ports = [...services.values()].map(({ port }) => port)
  const balancer = createLoadBalancer(ports)
  const health = watchHealth(balancer, ports)
  const buyer = createStrictBuyer(balancer, keys)
  let isOver = false
  const load = someAtATime(clients, clients, async () => {
    while (!isOver) {
      await buyer.buyLater()
      await sleep(restMs)
    }
  })
  const work = async () => {
    for (let round = 0; round < rounds; round += 1) {
      const old = keys.secretKey
      const rolled = await rollSecretKey(place, merchantId)
      keys.secretKey = rolled.secretKey
      await sleep(PAUSE_MS)
      await revokeKey(place, rolled.endedId)
      for (const port of ports) await refuseKey(port, old)
      await restart(services, round % PROCESSES.length, health, start)
    }
  }
  await Promise.race([work(), load])
  isOver = true
  await load
  await health.stop()
  balancer.close()
  const differences = await openBooks(databaseUrl).differences()
  if (differences.length > 0) throw new Error(differences.join('\n'))
  say(
    `${rounds} keys rolled and revoked, ${rounds} processes drained and restarted, ${clients} clients: ` +
      `${buyer.requests()} requests, 0 failed`,
  )
}

/** All run from the same source folder, with the same data folder; only the second is kept from writing to them. */
function startOne(folder: string, number: number, databaseUrl: string, canBeReadOnly: boolean) {
  const settings = {
    SVC_VAULT_KEYS: VAULT_KEYS,
    SVC_DATA_DIR: dataDirOf(folder),
    SVC_DRAIN_SECONDS: String(DRAIN_SECONDS),
    SVC_LOG_LEVEL: 'info',
  }
  const isReadOnly = canBeReadOnly && number === 1
  return startService({ folder, number, databaseUrl, settings, inside: isReadOnly ? readOnlyIn(folder) : [] })
}

/** Throws unless the process refuses the key. */
async function refuseKey(port: number, key: string): Promise<void> {
  const api = createHttpApi(() => port)
  const headers = { 'x-user-secret-key': key }
  const { status } = await api.send({ method: 'GET', path: '/v1/charges', headers })
  api.close()
  if (status !== 401) throw new Error(`a revoked key was answered ${status}`)
}

/** The load balancer is told nothing: it learns from `/health` that the process stops and that its successor runs. */
async function restart(
  services: Map<number, ServiceProcess>,
  number: number,
  health: HealthWatch,
  start: (number: number) => Promise<ServiceProcess>,
): Promise<void> {
  const service = services.get(number)
  if (service === undefined) throw new Error(`there is no service ${number}`)
  services.delete(number)
  const begun = performance.now()
  const stopped = service.stop()
  await health.isOut(service.port)
  const noticedMs = performance.now() - begun
  if (noticedMs > DRAIN_SECONDS * 1000)
    throw new Error('the load balancer noticed only when the process was gone')
  await stopped
  services.set(number, await start(number))
  await health.isBack(service.port)
}

/**
 * A command to run a service in, with mounts of its own, so that it can write neither to this checkout nor to `folder`. The
 * command fails unless both are read-only.
 */
function readOnlyIn(folder: string): string[] {
  const isRoot = process.getuid?.() === 0
  const script = [
    'folder=$1; shift',
    'mount --bind "$folder" "$folder"',
    'mount -o remount,bind,ro "$folder"',
    'mount -o remount,bind,ro /',
    '! touch "$folder/written" package.json 2>/dev/null',
    'exec "$@"',
  ].join(' && ')
  const mounts = ['--mount', '--propagation', 'private']
  return [
    'unshare',
    ...(isRoot ? [] : ['--user', '--map-root-user']),
    ...mounts,
    'sh',
    '-c',
    script,
    'sh',
    folder,
  ]
}

/** Why nothing can be made read-only here; null where it can. */
function whyNotReadOnly(folder: string): string | null {
  const { status, stderr, error } = spawnSync('env', [...readOnlyIn(folder), 'true'], { encoding: 'utf8' })
  return status === 0 ? null : (error?.message ?? (stderr.trim() || `exit code ${String(status)}`))
}

/** Checks the health of each service, as a load balancer does, and takes one out that is not healthy. */
interface HealthWatch {
  /** Resolves once no more requests are sent to the service, and it has answered those that it got. */
  isOut: (port: number) => Promise<void>
  /** Resolves once the service is sent requests again. */
  isBack: (port: number) => Promise<void>
  stop: () => Promise<void>
}

const EVERY_MS = 100

/** The balancer begins with all of `ports`. */
function watchHealth(balancer: LoadBalancer, ports: readonly number[]): HealthWatch {
  const well = new Set(ports)
  let isOver = false
  const watch = async (port: number) => {
    while (!isOver) {
      const isWell = await askHealth(port)
      if (!isWell && well.has(port)) {
        await balancer.takeOut(port)
        well.delete(port)
      }
      if (isWell && !well.has(port)) {
        balancer.putBack(port)
        well.add(port)
      }
      await sleep(EVERY_MS)
    }
  }
  const watching = ports.map(watch)
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await sleep(EVERY_MS / 4)
  }
  return {
    isOut: (port) => until(() => !well.has(port)),
    isBack: (port) => until(() => well.has(port)),
    async stop() {
      isOver = true
      await Promise.all(watching)
    },
  }
}

/** Uses a new connection each time: a kept one could end with the process. */
async function askHealth(port: number): Promise<boolean> {
  const api = createHttpApi(() => port)
  try {
    return (await api.send({ method: 'GET', path: '/health' })).status === 200
  } catch {
    return false
  } finally {
    api.close()
  }
}
