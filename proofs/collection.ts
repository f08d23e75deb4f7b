import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { dayAt } from '../src/service/domains/agreements/calendar.ts'
import { createAgreementApi, until } from './agreements/agreement-api.ts'
import { openAgreementBooks } from './agreements/agreement-books.ts'
import type { AgreementBooks } from './agreements/agreement-books.ts'
import { COLLECTED, openCollectionDay } from './agreements/collection-day.ts'
import type { CollectionDay } from './agreements/collection-day.ts'
import { openPayingMerchant } from './agreements/paying-merchant.ts'
import type { PayingMerchant } from './agreements/paying-merchant.ts'
import { createPaymentJournal } from './agreements/payment-journal.ts'
import type { PaymentJournal } from './agreements/payment-journal.ts'
import { inFolder } from './machines/folder.ts'
import type { AtEnd } from './machines/folder.ts'
import { startRestartable } from './machines/restartable-services.ts'
import type { RestartableServices } from './machines/restartable-services.ts'
import { clientIn, keysIn } from './machines/service-process.ts'
import { createHttpApi } from './merchant/http-api.ts'
import { listenForWebhooks } from './merchant/webhooks/webhook-listener.ts'
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
