import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runningPostgres } from '../src/service/platform/database/embedded/running-postgres.ts'
import { auditInTheEnd, auditMeanwhile } from './books/audit.ts'
import { openBooks } from './books/books.ts'
import { inFolder } from './machines/folder.ts'
import { dataDirOf, keysIn, startService } from './machines/service-process.ts'
import type { ServiceProcess } from './machines/service-process.ts'
import { createHttpApi } from './merchant/http-api.ts'
import { createJournal } from './merchant/journal.ts'
import { openShop } from './merchant/shop.ts'
import { underLoad } from './merchant/under-load.ts'
import type { Say } from './say.ts'

const CLIENTS = 16

/**
 * Two containers on one data folder: of two that start at once one is let in; under load the second is refused, the
 * first is killed with all its processes, and the second takes over at once, by turns. After each kill the merchant's
 * journal, the books and the gateway's ledger are compared; in the end they must agree.
 */
export async function twoContainers(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: { short: { type: 'boolean', default: false }, rounds: { type: 'string' } },
  })
  const rounds = Number(values.rounds ?? (values.short ? 2 : 20))
  const reason = whyNoContainers()
  if (reason !== null) {
    say(`skipped: no containers can be made by this account on this kernel (${reason})`)
    return
  }
  await inFolder((folder) => startTogether(folder, rounds, say))
  await inFolder((folder) => killByTurns(folder, rounds, say))
}

/** Starts two at once. The first time there is no database yet, and each would make it. */
async function startTogether(folder: string, rounds: number, say: Say): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    const starts = await Promise.allSettled([startInContainer(folder, 0), startInContainer(folder, 1)])
    const winners = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
    const [winner] = winners
    if (winner === undefined || winners.length > 1)
      throw new Error(`of two services that started at once ${winners.length} were let in`)
    if (round % 2 === 0) await winner.kill()
    else await winner.stop()
    await (await takeOver(folder, 0)).service.stop()
  }
  say(`${rounds} times two started at once: one was let in`)
}

async function killByTurns(folder: string, rounds: number, say: Say): Promise<void> {
  let service: ServiceProcess = await startInContainer(folder, 0)
  const connectionString = runningPostgres(dataDirOf(folder))
  if (connectionString === null) throw new Error('the service has started without a database')
  const books = openBooks(connectionString)
  const journal = createJournal()
  const api = createHttpApi(() => service.port)
  const shop = openShop(api, keysIn(folder), journal, CLIENTS)
  const refusals: number[] = []
  const takeovers: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    await underLoad(journal)
    refusals.push(await refusal(folder))
    if (service.hasDied()) throw new Error('the first service has ended')
    await service.kill()
    const next = await takeOver(folder, round % 2)
    service = next.service
    takeovers.push(next.ms)
    await auditMeanwhile(journal, books)
  }
  await shop.close()
  await auditInTheEnd(journal, books)
  api.close()
  await service.stop()
  say(
    `${rounds} kills of a container: the second was refused in ${slowest(refusals)} at most while the first lived, and ` +
      `served ${slowest(takeovers)} at most after its end; ${journal.acknowledged.size} acknowledged operations, 0 lost, 0 doubled`,
  )
}

function slowest(times: readonly number[]): string {
  return `${(Math.max(...times) / 1000).toFixed(1)} s`
}

const MAX_TAKEOVER_MS = 60_000

/**
 * A container, as far as matters to a lock: it has its own processes, mounts and IPC, and with `withNetwork` its own loopback; only
 * the folder is shared. The program is its first process, so killing that ends everything inside.
 */
function containerOf(withNetwork: boolean): string[] {
  const isRoot = process.getuid?.() === 0
  return [
    'unshare',
    ...(isRoot ? [] : ['--user', '--map-current-user']),
    ...['--pid', '--fork', '--kill-child', '--mount-proc', '--ipc'],
    ...(withNetwork ? ['--net'] : []),
  ]
}

/** Why no containers can be made here; null where they can. */
function whyNoContainers(): string | null {
  const { status, stderr, error } = spawnSync('env', [...containerOf(true), 'true'], { encoding: 'utf8' })
  return status === 0 ? null : (error?.message ?? stderr.trim())
}

/** Starts a service in a container, on the shared data folder. The loopback is shared too, as the clients have to reach it. */
function optionsFor(folder: string, number: number) {
  return { folder, number, inside: containerOf(false), settings: { SVC_DATA_DIR: dataDirOf(folder) } }
}

function startInContainer(folder: string, number: number): Promise<ServiceProcess> {
  return startService(optionsFor(folder, number))
}

/** Starts a service again and again until it gets the data folder, as an orchestrator does; says how long that took. */
async function takeOver(folder: string, number: number): Promise<{ service: ServiceProcess; ms: number }> {
  const begin = performance.now()
  for (;;) {
    try {
      const service = await startInContainer(folder, number)
      return { service, ms: performance.now() - begin }
    } catch (error) {
      if (performance.now() - begin > MAX_TAKEOVER_MS) throw error
      await sleep(100)
    }
  }
}

/** Throws unless a service in another container, with its own loopback, is refused in one line; returns how long that took, in ms. */
async function refusal(folder: string): Promise<number> {
  const begin = performance.now()
  const run = ['dist/service/sandbox.js']
  const child = spawn('env', [...containerOf(true), process.execPath, ...run], {
    env: { ...process.env, SVC_DATA_DIR: dataDirOf(folder), SVC_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_TAKEOVER_MS)
  const [words] = await Promise.all([text(child.stderr), once(child, 'exit')])
  clearTimeout(timer)
  if (child.exitCode !== 1 || !/^svc: .* is in use by another service .*SVC_DATA_DIR\.\n$/.test(words))
    throw new Error(`the second service ended with ${String(child.exitCode)} and said: ${words}`)
  return performance.now() - begin
}
