import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { dayAt, addDays } from '../src/service/domains/agreements/calendar.ts'
import { createAgreementApi, until } from './agreements/agreement-api.ts'
import type { AgreementApi } from './agreements/agreement-api.ts'
import { openAgreementBooks } from './agreements/agreement-books.ts'
import type { AgreementBooks } from './agreements/agreement-books.ts'
import { openPayingMerchant, createPaymentJournal } from './agreements/paying-merchant.ts'
import type { PayingMerchant, PaymentJournal } from './agreements/paying-merchant.ts'
import { inFolder } from './machines/folder.ts'
import type { AtEnd } from './machines/folder.ts'
import { startOwnPostgres } from './machines/own-postgres.ts'
import { clientIn, keysIn, startService, VAULT_KEYS } from './machines/service-process.ts'
import type { ServiceProcess } from './machines/service-process.ts'
import { byTurns } from './machines/several-services.ts'
import { createHttpApi } from './merchant/http-api.ts'
import { listenForWebhooks } from './merchant/webhook-server.ts'
import type { Say } from './say.ts'

const CLIENTS = 8
const WORDS_EVERY = 10
/** The service is killed once so many payments were acknowledged since the last kill … */
const MIN_LOAD = 16
/** … and then so long, at most, after agreements have become due: while they are collected and sent. */
const MAX_LATER_MS = 1500
/** The longest pause between killing one process and the other. */
const MAX_BETWEEN_MS = 400
const MAX_WAIT_MS = 120_000
/** Agreements that the merchant pays by itself. */
const BILLS = ['approve', 'approve', 'approve', 'investigate', 'late']

/** Agreements that the merchant suspends and releases, paying from each at once. */
const PAUSED = ['approve', 'approve', 'late']

/**
 * Kills the service again and again, as one process and as two by turns, while merchants send payments and a day's agreements are
 * collected. Each acknowledged payment must be made once, each due day collected once or skipped by the contract's rule; the network's
 * ledger must contain exactly that, no payment may overtake a release or be overtaken by a suspension, each history must be complete, and
 * every webhook must come.
 */
export async function collection(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: {
      short: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      agreements: { type: 'string' },
    },
  })
  const rounds = Number(values.rounds ?? (values.short ? 1 : 70))
  const dueEachRound = Number(values.agreements ?? (values.short ? 60 : 200))
  await inFolder((folder, atEnd) => killWhileCollecting({ folder, atEnd, rounds, dueEachRound }, say))
}

interface Run {
  folder: string
  atEnd: AtEnd
  rounds: number
  dueEachRound: number
}

interface World {
  services: RestartableServices
  books: AgreementBooks
  journal: PaymentJournal
  merchant: PayingMerchant
  day: CollectionDay
}

async function killWhileCollecting({ folder, atEnd, rounds, dueEachRound }: Run, say: Say): Promise<void> {
  const services = await startRestartable(folder)
  atEnd(services.stop)
  await services.start(1)
  const http = createHttpApi(services.port)
  atEnd(http.close)
  const webhooks = await listenForWebhooks(http, keysIn(folder), () => Date.now() / 1000)
  atEnd(webhooks.close)
  const api = createAgreementApi(http, clientIn(folder))
  const books = openAgreementBooks(services.connectionString)
  const journal = createPaymentJournal()
  const day = await openCollectionDay(api, books)
  const billed = (debtors: readonly string[]) =>
    Promise.all(
      debtors.map((debtor) =>
        api.makeActive({
          type: 'adhoc',
          debtor,
          payment_terms: { amount_type: 'usage', maximum_amount: '300.00' },
        }),
      ),
    )
  const [bills, paused] = [await billed(BILLS), await billed(PAUSED)]
  const world = { services, books, journal, day, merchant: openPayingMerchant(api, journal, bills, CLIENTS) }
  paused.forEach(world.merchant.pauseAndPay)
  let kills = 0
  for (let round = 1; round <= rounds; round += 1) {
    kills += await killOnce(world, dueEachRound)
    await services.start(1 + (round % 2))
    if (round % WORDS_EVERY === 0) say(`${kills} kills, ${journal.acknowledged.size} acknowledged payments`)
  }
  await finish(world, webhooks.taken)
  if (webhooks.refused.length > 0) throw new Error(webhooks.refused.join('\n'))
  const { collected, skipped, askedAfter } = await books.figures()
  say(
    `${kills} kills: ${journal.acknowledged.size} acknowledged payments of merchants, ${collected} collected of ${day.made()} agreements, ` +
      `${skipped} due days skipped by rule, ${askedAfter} outcomes asked after: 0 lost, 0 doubled, books and ledger equal; ` +
      `${webhooks.taken.size} webhooks came`,
  )
}

/** Lets agreements become due, and kills every process at a random moment after that; returns how many were killed. */
async function killOnce({ services, books, journal, merchant, day }: World, count: number): Promise<number> {
  const enough = journal.acknowledged.size + MIN_LOAD
  await until(() => Promise.resolve(journal.acknowledged.size >= enough), MAX_WAIT_MS)
  for (const id of await day.makeDue(count)) merchant.contest(id, COLLECTED)
  await sleep(Math.random() * MAX_LATER_MS)
  const kills = await services.killAll(MAX_BETWEEN_MS)
  await audit(journal, books)
  return kills
}

/**
 * Ages what the killed processes have left by a minute, so that the new ones take it over at once; then waits for the end and compares.
 */
async function finish(
  { services, books, journal, merchant, day }: World,
  taken: ReadonlySet<string>,
): Promise<void> {
  await services.killAll(0)
  await books.passMinute()
  await services.start(2)
  await merchant.close()
  await until(async () => (await books.unfinished(dayAt(Date.now()))) === 0, MAX_WAIT_MS)
  await audit(journal, books)
  const sent = await books.sentPayments()
  refuseAny([
    ...(await day.faults()),
    ...(await books.mandateDifferences()),
    ...[...sent.keys()]
      .filter((reference) => !journal.acknowledged.has(reference))
      .map((one) => `made, and not acknowledged: ${one}`),
    ...[...sent].filter(([, { ledger }]) => ledger !== 1).map(([one]) => `not once in the ledger: ${one}`),
    ...[...(await books.outOfOrder())].map(([id, count]) => `${id}: ${count} payments out of order`),
  ])
  await untilAllTold(books, taken)
}

/** Waits for thousands of webhooks: it fails only when none has come for a while, and not after a fixed time. */
async function untilAllTold(books: AgreementBooks, taken: ReadonlySet<string>): Promise<void> {
  const events = await books.events()
  const isMissing = (id: string) => !taken.has(id)
  while (events.some(isMissing)) {
    const before = taken.size
    await until(() => Promise.resolve(taken.size > before || !events.some(isMissing)), MAX_WAIT_MS)
  }
}

/** Each payment that was acknowledged before the audit must exist once, and none that nobody asked for. */
async function audit(journal: PaymentJournal, books: AgreementBooks): Promise<void> {
  const acknowledged = [...journal.acknowledged]
  const differences = await books.differences()
  const sent = await books.sentPayments()
  refuseAny([
    ...differences,
    ...acknowledged.filter((reference) => !sent.has(reference)).map((one) => `lost: ${one}`),
    ...[...sent].filter(([, { service }]) => service > 1).map(([one]) => `doubled: ${one}`),
    ...[...sent.keys()]
      .filter((reference) => !journal.asked.has(reference))
      .map((one) => `not asked: ${one}`),
    ...[...journal.refused]
      .filter((reference) => sent.has(reference))
      .map((one) => `refused, and made: ${one}`),
  ])
}

const MAX_SHOWN = 20

function refuseAny(faults: readonly string[]): void {
  if (faults.length === 0) return
  throw new Error(`${faults.length} faults:\n${faults.slice(0, MAX_SHOWN).join('\n')}`)
}

/** Agreements with a payment to collect. */
interface CollectionDay {
  /** Makes `count` agreements that are due now; returns the ids of those that the merchant is to pay from as well. */
  makeDue: (count: number) => Promise<string[]>
  /** In words, every due day that was not handled as it must be. */
  faults: () => Promise<string[]>
  made: () => number
}

/** The amount of each payment that is collected. */
const COLLECTED = '5.00'

/** What the debtors of the template agreements do (contract §6.8), in the order in which the statement below uses them. */
const DEBTORS = ['approve', 'late', 'insufficient', 'investigate']
/** Days by which a due day is late: `LATE` is still collected, `TOO_LATE` is skipped (contract §6.5). */
const LATE = 3
const TOO_LATE = 8

/**
 * Makes one agreement for each kind of debtor through the API, then copies it in the database, with other dates, so that thousands
 * are due at once.
 */
async function openCollectionDay(api: AgreementApi, books: AgreementBooks): Promise<CollectionDay> {
  const templates: string[] = []
  for (const debtor of DEBTORS) {
    templates.push(
      await api.makeActive({
        type: 'recurring',
        debtor,
        start_date: addDays(dayAt(Date.now()), 2),
        payment_terms: { amount_type: 'fixed', amount: COLLECTED, frequency: 'daily', point_in_period: 1 },
      }),
    )
  }
  let made = 0
  return {
    made: () => made,
    async makeDue(count) {
      const today = dayAt(Date.now())
      const values = [
        templates,
        made + 1,
        made + count,
        today,
        addDays(today, -LATE),
        addDays(today, -TOO_LATE),
      ]
      made += count
      return (await books.read<{ id: string }>(copies, values)).map(({ id }) => id)
    },
    async faults() {
      const rows = await books.read<{ fault: string }>(faults, [LATE + 1])
      const [row] = await books.read<{ count: string }>(howMany)
      const lost = made - Number(row?.count)
      return [...rows.map(({ fault }) => fault), ...(lost === 0 ? [] : [`${lost} agreements are lost`])]
    },
  }
}

// Each agreement ends on its last due day, so that it is known which due days it has.
const copies = `
WITH asked AS (
  SELECT substr(md5('due' || n), 1, 24) AS id,
    ($1::text[])[CASE n % 10 WHEN 3 THEN 2 WHEN 4 THEN 3 WHEN 5 THEN 4 ELSE 1 END] AS template_id,
    CASE n % 10 WHEN 0 THEN 'contested' WHEN 1 THEN 'late' WHEN 2 THEN 'too late' ELSE 'today' END AS kind,
    CASE n % 10 WHEN 1 THEN $5::text WHEN 2 THEN $6::text ELSE $4::text END AS first_day,
    CASE n % 10 WHEN 2 THEN $6::text ELSE $4::text END AS last_day
  FROM generate_series($2::integer, $3::integer) AS n
), mandate AS (
  INSERT INTO sandbox_network.mandates
  SELECT copy.* FROM asked JOIN sandbox_network.mandates template ON template.id = template_id
  CROSS JOIN LATERAL jsonb_populate_record(template, jsonb_build_object('id', asked.id)) AS copy
), change AS (
  INSERT INTO agreement_changes
  SELECT copy.* FROM asked JOIN agreement_changes template ON template.agreement_id = template_id
  CROSS JOIN LATERAL jsonb_populate_record(template, jsonb_build_object(
    'id', substr(md5(asked.id || template.id), 1, 24), 'agreement_id', asked.id, 'notice_id', null)) AS copy
), agreement AS (
  INSERT INTO agreements
  SELECT copy.* FROM asked JOIN agreements template ON template.id = template_id
  CROSS JOIN LATERAL jsonb_populate_record(template, jsonb_build_object(
    'id', asked.id, 'reference', kind, 'start_date', first_day, 'end_date', last_day, 'next_due_on', first_day)) AS copy
)
SELECT id FROM asked WHERE kind = 'contested'`

const kinds = "('today', 'contested', 'late', 'too late')"

const howMany = `SELECT count(*) FROM agreements WHERE reference IN ${kinds}`

// A contested agreement is paid once, by the service or by its merchant; where it was the merchant, the history says that nothing
// was collected.
const faults = `
SELECT 'agreement ' || id || ' (' || kind || '): collected ' || collected || ', skipped ' || skipped || ', sent ' || sent AS fault
FROM (
  SELECT a.id, a.reference AS kind, a.next_due_on,
    (SELECT count(DISTINCT due_on) FROM agreement_payments p WHERE p.agreement_id = a.id AND p.due_on IS NOT NULL) AS collected,
    (SELECT count(*) FROM agreement_payments p WHERE p.agreement_id = a.id AND p.due_on IS NULL) AS sent,
    (SELECT count(*) FROM agreement_changes c WHERE c.agreement_id = a.id AND c.type = 'collection_skipped') AS skipped,
    (SELECT count(*) FROM agreement_payments p WHERE p.agreement_id = a.id) AS payments
  FROM agreements a WHERE a.reference IN ${kinds}
) became
WHERE NOT CASE kind
  WHEN 'today' THEN collected = 1 AND skipped = 0 AND sent = 0
  WHEN 'contested' THEN collected + sent = 1 AND skipped = sent
  WHEN 'late' THEN collected = $1::integer AND skipped = 0 AND sent = 0
  ELSE collected = 0 AND skipped = 1 AND sent = 0 END
  OR payments <> collected + sent OR next_due_on IS NOT NULL`

/** Processes of the service on one PostgreSQL server, which goes on running while they are killed. */
interface RestartableServices {
  connectionString: string
  /** The service that takes the next call; 0 while there is none. */
  port: () => number
  /** Starts this many services, none of which may run yet. */
  start: (processes: number) => Promise<void>
  /** Kills one after the other, with pauses of up to this long. Returns how many there were. */
  killAll: (maxBetweenMs: number) => Promise<number>
  stop: () => Promise<void>
}

/** The address that access tokens are made for: the same at all processes. */
const BASE_URL = 'http://localhost:8080'

async function startRestartable(folder: string): Promise<RestartableServices> {
  const { connectionString, stop } = await startOwnPostgres(folder)
  const running: ServiceProcess[] = []
  const settings = { SVC_VAULT_KEYS: VAULT_KEYS, SVC_BASE_URL: BASE_URL }
  return {
    connectionString,
    port: byTurns(running),
    async start(processes) {
      const starts = Array.from({ length: processes }, (_, number) =>
        startService({ folder, number, databaseUrl: connectionString, settings }),
      )
      running.push(...(await Promise.all(starts)))
    },
    async killAll(maxBetweenMs) {
      let kills = 0
      for (;;) {
        const [next] = running
        if (next === undefined) return kills
        if (next.hasDied()) throw new Error('a service has ended by itself')
        await next.kill()
        running.shift()
        kills += 1
        if (running.length > 0) await sleep(Math.random() * maxBetweenMs)
      }
    },
    async stop() {
      await Promise.all(running.map((service) => service.stop()))
      await stop()
    },
  }
}
