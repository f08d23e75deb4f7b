import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { Envelope } from '../src/contract/api/envelope.ts'
import {
  locatePostgres,
  postgresAccount,
} from '../src/service/platform/database/embedded/postgres-location.ts'
import { auditInTheEnd, auditMeanwhile } from './books/audit.ts'
import { openBooks } from './books/books.ts'
import type { Books } from './books/books.ts'
import { inFolder } from './machines/folder.ts'
import type { AtEnd } from './machines/folder.ts'
import { startOwnPostgres } from './machines/own-postgres.ts'
import { keysIn, startService, VAULT_KEYS } from './machines/service-process.ts'
import type { Keys } from './machines/service-process.ts'
import { makeCheckout, statusOfCheckout } from './merchant/checkouts.ts'
import { createHttpApi } from './merchant/http-api.ts'
import type { HttpApi, Answer } from './merchant/http-api.ts'
import { createJournal } from './merchant/journal.ts'
import type { Journal } from './merchant/journal.ts'
import { createMerchantServer } from './merchant/merchant-server.ts'
import { openShop } from './merchant/shop.ts'
import { listenForWebhooks } from './merchant/webhook-server.ts'
import type { Say } from './say.ts'

const CLIENTS = 6
const MINUTE = 60
const HOUR = 60 * MINUTE
/** Offsets of the clock from the real one, in seconds. After each it is set to the real time again. */
const STEPS = [-10 * MINUTE, 10 * MINUTE, -2 * HOUR, 2 * HOUR]
/** The steps of the short form. Each takes some 20 s, most of it waiting until the service asks for a lost answer. */
const SHORT_STEPS = [2 * HOUR, -10 * MINUTE]
/** A client's pause between two orders in the short form, which runs beside other proofs and mostly waits. */
const SHORT_REST_MS = 500
/**
 * How many answers after a step show that requests go on; they come within a second unless something waits for the clock.
 */
const ENOUGH_ANSWERS = 100
const MAX_WAIT_MS = 30_000
/** The gateway is asked for an outcome after 8 s, and 10 s after a step of the database's clock. */
const MAX_UNKNOWN_MS = 60_000

/**
 * Sets the clock of a service under load forward and back by 10 minutes and 2 hours, and right again; PostgreSQL keeps the real
 * time, or (`database`) has the same clock. No valid request may be refused, webhooks must be sent and unknown outcomes resolved
 * meanwhile, and in the end the books must be what the merchant was told, to the cent.
 */
export async function clock(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: {
      short: { type: 'boolean', default: false },
      database: { type: 'boolean', default: false },
      rounds: { type: 'string' },
    },
  })
  const rounds = Number(values.rounds ?? (values.short ? 1 : 5))
  const steps = values.short ? (values.database ? SHORT_STEPS.slice(1) : SHORT_STEPS) : STEPS
  await inFolder(async (folder, atEnd) => {
    const clock = createSteppingClock(folder)
    if (clock === null) {
      if (process.env['CI'] !== undefined) throw new Error('libfaketime is not installed')
      say('skipped: libfaketime is not installed (Debian: apt-get install faketime)')
      return
    }
    const all = Array.from({ length: rounds }, () => steps).flat()
    const restMs = values.short ? SHORT_REST_MS : 0
    await stepUnderLoad({ folder, atEnd, clock, isDatabaseToo: values.database, steps: all, restMs }, say)
  })
}

interface Run {
  folder: string
  atEnd: AtEnd
  clock: SteppingClock
  isDatabaseToo: boolean
  steps: readonly number[]
  /** A client's pause between two orders. */
  restMs: number
}

async function stepUnderLoad(
  { folder, atEnd, clock, isDatabaseToo, steps, restMs }: Run,
  say: Say,
): Promise<void> {
  const postgres = await startOwnPostgres(folder, isDatabaseToo ? programsBy(clock, folder) : undefined)
  atEnd(postgres.stop)
  const { connectionString } = postgres
  const settings = { SVC_VAULT_KEYS: VAULT_KEYS, ...clock.environment }
  const service = await startService({ folder, databaseUrl: connectionString, settings })
  atEnd(service.stop)
  const keys = keysIn(folder)
  const api = watched(createHttpApi(() => service.port))
  atEnd(api.close)
  const secondsNow = () => Date.now() / 1000 + (isDatabaseToo ? clock.aheadSeconds() : 0)
  const webhooks = await listenForWebhooks(api, keys, secondsNow)
  atEnd(webhooks.close)
  const books = openBooks(connectionString)
  const journal = createJournal()
  const checkouts = [{ madeAt: 0, token: await makeCheckout(api, keys) }]
  const shop = openShop(api, keys, journal, CLIENTS, { restMs })
  let slowest = 0
  await enoughAnswers(api)
  for (const [number, seconds] of steps.flatMap((step) => [step, 0]).entries()) {
    clock.set(seconds)
    await enoughAnswers(api)
    checkouts.push({ madeAt: seconds, token: await makeCheckout(api, keys) })
    // A checkout expires by the database's clock. Where that was changed too, only checkouts made at the same offset can be checked.
    const judged = checkouts.filter(({ madeAt }) => !isDatabaseToo || madeAt === seconds)
    for (const { token } of judged) await refuseUnless('active', statusOfCheckout(api, token))
    slowest = Math.max(slowest, await loseAnswer({ api, keys, journal, books }, `unanswered-${number}`))
    await auditMeanwhile(journal, books)
  }
  await shop.close()
  await auditInTheEnd(journal, books)
  await untilAllTaken(books, webhooks.taken)
  // Where the receiver's clock is stepped too, a message signed right before the step is refused, and sent again.
  const faults = [...api.faults, ...(isDatabaseToo ? [] : webhooks.refused)]
  if (faults.length > 0) throw new Error(faults.join('\n'))
  say(
    `${steps.length} steps of ${isDatabaseToo ? 'the clock of service and database' : "the service's clock"}, each put right again, ` +
      `under ${CLIENTS} clients: ${api.answers()} answers, nobody turned away; ${webhooks.taken.size} webhooks came in time; ` +
      `an unknown outcome was known after ${(slowest / 1000).toFixed(0)} s at most; ` +
      `${journal.acknowledged.size} acknowledged operations, 0 lost, 0 doubled`,
  )
}

interface Shown {
  api: HttpApi
  keys: Keys
  journal: Journal
  books: Books
}

/** Makes a sale whose answer never comes; returns how long it takes until its outcome is known, in ms. */
async function loseAnswer({ api, keys, journal, books }: Shown, reference: string): Promise<number> {
  const begin = performance.now()
  const token = await createMerchantServer(api, keys, () => undefined).tokenise(`${reference}-card`)
  journal.ask(`${reference} sale 900068`)
  await api.send({
    method: 'POST',
    path: '/v1/charges?capture=false',
    headers: { 'x-user-secret-key': keys.secretKey, 'idempotency-key': reference },
    body: { amount: '9000.68', currency: 'AUD', token, reference },
  })
  for (let waited = 0; (await books.statuses()).get(reference) !== 'pending'; waited += 200) {
    if (waited > MAX_UNKNOWN_MS) throw new Error(`${reference} has no outcome yet`)
    await sleep(200)
  }
  journal.acknowledge(`${reference} sale 900068`, reference, 'pending')
  return performance.now() - begin
}

async function enoughAnswers({ answers }: WatchedApi): Promise<void> {
  const enough = answers() + ENOUGH_ANSWERS
  for (let waited = 0; answers() < enough; waited += 20) {
    if (waited > MAX_WAIT_MS) throw new Error('requests do not go on')
    await sleep(20)
  }
}

async function refuseUnless(wanted: string, found: Promise<string>): Promise<void> {
  const status = await found
  if (status !== wanted) throw new Error(`a checkout is ${status}, not ${wanted}`)
}

/** Waits until every event has come in a message whose time is right. */
async function untilAllTaken(books: Books, taken: ReadonlySet<string>): Promise<void> {
  for (let waited = 0; ; waited += 200) {
    const missing = (await books.events()).filter((id) => !taken.has(id))
    if (missing.length === 0) return
    if (waited > MAX_UNKNOWN_MS) throw new Error(`${missing.length} webhooks did not come`)
    await sleep(200)
  }
}

/** Where Debian's package libfaketime and others put the library. */
const LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib64/faketime/libfaketimeMT.so.1',
  '/usr/lib/faketime/libfaketimeMT.so.1',
]

/** The wall clock of processes, which can be set while they run; their monotonic clock is not changed. */
interface SteppingClock {
  /** The environment variables that give a process this clock. */
  environment: Readonly<Record<string, string>>
  /** Sets how many seconds it is ahead of the real time, at once and for all its processes. */
  set: (seconds: number) => void
  aheadSeconds: () => number
}

/** Null where libfaketime is not installed. */
function createSteppingClock(folder: string): SteppingClock | null {
  const library = LIBRARIES.find((path) => existsSync(path))
  if (library === undefined) return null
  const file = join(folder, 'clock')
  let ahead = 0
  const set = (seconds: number) => {
    // Written under another name and renamed, so that no process reads a file that is half written.
    writeFileSync(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}`, { mode: 0o644 })
    renameSync(`${file}.new`, file)
    ahead = seconds
  }
  set(0)
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
    aheadSeconds: () => ahead,
  }
}

/** A folder with the PostgreSQL programs that the service uses, each of which runs with this clock, whoever starts it. */
function programsBy({ environment }: SteppingClock, folder: string): string {
  const { programs } = locatePostgres(folder, postgresAccount())
  const bin = join(folder, 'programs', 'bin')
  mkdirSync(bin, { recursive: true })
  const settings = Object.entries(environment).map(([name, value]) => `${name}='${value}'`)
  for (const program of ['initdb', 'postgres']) {
    const script = `#!/bin/sh\nexport ${settings.join(' ')}\nexec '${join(programs, 'bin', program)}' "$@"\n`
    writeFileSync(join(bin, program), script)
    chmodSync(join(bin, program), 0o755)
  }
  return join(folder, 'programs')
}

/** An API whose answers are counted, and checked for errors that a merchant may not see when nothing is wrong. */
interface WatchedApi extends HttpApi {
  /** How many answers there were. */
  answers: () => number
  /** Answers that refuse a valid request. */
  faults: readonly string[]
}

function watched(api: HttpApi): WatchedApi {
  const faults: string[] = []
  let answers = 0
  return {
    ...api,
    async send(call) {
      const answer = await api.send(call).catch((error: unknown) => {
        faults.push(`${call.method} ${call.path}: ${String(error)}`)
        throw error
      })
      answers += 1
      if (isFault(answer)) faults.push(`${call.method} ${call.path}: ${answer.status} ${answer.text}`)
      return answer
    },
    answers: () => answers,
    faults,
  }
}

/** The sandbox answers some amounts with an unknown outcome, which is no fault (contract §4, cents .68). */
function isFault({ status, text }: Answer): boolean {
  if (status === 401 || status === 403 || status === 429) return true
  return status >= 500 && v.parse(Envelope, JSON.parse(text)).error?.code !== 'outcome_unknown'
}
