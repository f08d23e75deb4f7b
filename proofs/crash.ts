import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runningPostgres } from '../src/service/platform/database/embedded/running-postgres.ts'
import { auditInTheEnd, auditMeanwhile } from './books/audit.ts'
import { openBooks } from './books/books.ts'
import { inFolder } from './machines/folder.ts'
import { startOwnPostgres } from './machines/own-postgres.ts'
import { keysIn, dataDirOf, startService } from './machines/service-process.ts'
import { createHttpApi } from './merchant/http-api.ts'
import { createJournal } from './merchant/journal.ts'
import { openShop } from './merchant/shop.ts'
import { underLoad } from './merchant/under-load.ts'
import type { Say } from './say.ts'

const CLIENTS = 16
const WORDS_EVERY = 10

/**
 * Kills the service under load, again and again: with its embedded PostgreSQL (`service`), on an external server (`server`), or
 * one of two processes of one command (`process`); or restarts PostgreSQL abruptly under a service that lives on (`postgres`).
 * After each kill the merchant's journal, the books and the gateway's ledger are compared; in the end they must agree.
 */
export async function crash(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: {
      short: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      server: { type: 'boolean', default: false },
      postgres: { type: 'boolean', default: false },
      process: { type: 'boolean', default: false },
      programs: { type: 'string' },
    },
  })
  const victim = victimIn(values)
  const rounds = Number(values.rounds ?? (values.short ? SHORT_ROUNDS[victim] : victims[victim].rounds))
  await inFolder((folder) => killAgainAndAgain({ folder, victim, rounds, programs: values.programs }, say))
}

const SHORT_ROUNDS: Readonly<Record<Victim, number>> = { service: 2, server: 1, postgres: 1, process: 1 }

function victimIn(asked: Readonly<Record<'postgres' | 'server' | 'process', boolean>>): Victim {
  if (asked.postgres) return 'postgres'
  if (asked.process) return 'process'
  return asked.server ? 'server' : 'service'
}

interface Run {
  folder: string
  victim: Victim
  rounds: number
  programs: string | undefined
}

async function killAgainAndAgain({ folder, victim, rounds, programs }: Run, say: Say): Promise<void> {
  const world = await startKillable(victim, folder, programs)
  const books = openBooks(world.connectionString)
  const journal = createJournal()
  const api = createHttpApi(() => world.port)
  const shop = openShop(api, keysIn(folder), journal, CLIENTS)
  const begin = performance.now()
  for (let round = 1; round <= rounds; round += 1) {
    await underLoad(journal)
    await world.kill()
    await auditMeanwhile(journal, books)
    if (round % WORDS_EVERY === 0) say(`${round} kills, ${journal.acknowledged.size} acknowledged operations`)
  }
  const seconds = (performance.now() - begin) / 1000
  await shop.close()
  await auditInTheEnd(journal, books)
  api.close()
  await world.stop()
  say(
    `${rounds} ${victims[victim].kills}: ${journal.acknowledged.size} acknowledged operations on ${journal.statuses.size} charges, ` +
      `0 lost, 0 doubled, journal, books and ledger equal; ${(seconds / rounds).toFixed(1)} s a kill`,
  )
}

/** What is killed, in words, and how often when nothing else is asked for. */
const victims = {
  service: { kills: 'kills of the service on its embedded PostgreSQL', rounds: 200 },
  server: { kills: 'kills of the service on a PostgreSQL server', rounds: 200 },
  process: { kills: 'kills of one of two processes of one command', rounds: 20 },
  postgres: { kills: 'immediate restarts of the PostgreSQL server', rounds: 50 },
} as const

type Victim = keyof typeof victims

/** A service at work, of which one part is killed and comes back. */
interface Killable {
  port: number
  connectionString: string
  /** Resolves once everything runs again. */
  kill: () => Promise<void>
  stop: () => Promise<void>
}

async function startKillable(victim: Victim, folder: string, programs?: string): Promise<Killable> {
  const isEmbedded = victim === 'service' || victim === 'process'
  const postgres = isEmbedded ? null : await startOwnPostgres(folder, programs)
  const given = {
    folder,
    ...(postgres !== null && { databaseUrl: postgres.connectionString }),
    ...(victim === 'process' && { settings: { SVC_PROCESSES: '2' } }),
  }
  let service = await startService(given)
  const kill = async () => {
    if (victim === 'postgres') return postgres?.restartAtOnce()
    if (victim === 'process') return killOldestOf(service.pid)
    await service.kill()
    service = await startService(given)
  }
  const connectionString = postgres?.connectionString ?? runningPostgres(dataDirOf(folder))
  if (connectionString === null) throw new Error('the service has started without a database')
  return {
    port: service.port,
    connectionString,
    async kill() {
      if (service.hasDied()) throw new Error('the service has ended by itself')
      await kill()
    },
    async stop() {
      await service.stop()
      await postgres?.stop()
    },
  }
}

const SUCCESSOR_TIMEOUT_MS = 30_000

/** Kills one of the processes that a service is made of; resolves once another one has taken its place. */
async function killOldestOf(parent: number): Promise<void> {
  const [oldest, ...others] = processesOf(parent)
  if (oldest === undefined || others.length === 0) throw new Error('the service is not two processes')
  process.kill(oldest, 'SIGKILL')
  for (let waited = 0; waited < SUCCESSOR_TIMEOUT_MS; waited += 50) {
    const now = processesOf(parent)
    if (now.length > others.length && !now.includes(oldest)) return
    await sleep(50)
  }
  throw new Error('no process took the place of the one that was killed')
}

/** Ids of the service's processes, the oldest first. PostgreSQL, which is a child too, does not count. */
function processesOf(parent: number): number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ').filter(Boolean)
  return children.filter((pid) => readCommandOf(pid).includes('dist/service/')).map(Number)
}

/** Empty where the process has ended meanwhile. */
function readCommandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
