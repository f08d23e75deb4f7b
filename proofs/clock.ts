import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { auditInTheEnd, auditMeanwhile } from './books/audit.ts'
import { openBooks } from './books/books.ts'
import type { Books } from './books/books.ts'
import { inFolder } from './machines/folder.ts'
import type { AtEnd } from './machines/folder.ts'
import { startOwnPostgres } from './machines/own-postgres.ts'
import { keysIn, startService } from './machines/service-process.ts'
import type { Keys } from './machines/service-process.ts'
import { VAULT_KEYS } from './machines/vault-keys.ts'
import { createSteppingClock, programsBy } from './machines/stepping-clock.ts'
import type { SteppingClock } from './machines/stepping-clock.ts'
import { makeCheckout, statusOfCheckout } from './merchant/checkouts.ts'
import { createHttpApi } from './merchant/http-api.ts'
import type { HttpApi } from './merchant/http-api.ts'
import { createJournal } from './merchant/journal.ts'
import type { Journal } from './merchant/journal.ts'
import { createMerchantServer } from './merchant/merchant-server.ts'
import { openShop } from './merchant/shop.ts'
import { watched } from './merchant/watched-api.ts'
import type { WatchedApi } from './merchant/watched-api.ts'
import { listenForWebhooks } from './merchant/webhooks/webhook-listener.ts'
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
  const shop = openShop(api, keys, journal, CLIENTS, restMs)
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
