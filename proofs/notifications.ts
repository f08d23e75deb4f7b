import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import * as v from 'valibot'
import { ChargeResource } from '../src/contract/api/charges/charge-resource.ts'
import { Envelope } from '../src/contract/api/envelope.ts'
import { booksBy } from '../src/service/domains/gateways/testing/books-by-service.ts'
import type { Books } from '../src/service/domains/gateways/testing/gateway-bed.ts'
import {
  HAPPENINGS,
  LIE,
  startTellingAdyen,
  startTellingStripe,
} from '../src/service/domains/gateways/testing/telling-gateway.ts'
import type { TellingGateway } from '../src/service/domains/gateways/testing/telling-gateway.ts'
import { until } from './agreements/agreement-api.ts'
import { openCourier } from './gateways/courier.ts'
import type { Courier, Station } from './gateways/courier.ts'
import { inFolder } from './machines/folder.ts'
import type { AtEnd } from './machines/folder.ts'
import { addGateway, addMerchant, enterNotCarriedOut, setUpNotifications } from './machines/operator.ts'
import { startOwnPostgres } from './machines/own-postgres.ts'
import { startService, VAULT_KEYS } from './machines/service-process.ts'
import type { Keys } from './machines/service-process.ts'
import { createHttpApi } from './merchant/http-api.ts'
import type { HttpApi } from './merchant/http-api.ts'
import { createJournal } from './merchant/journal.ts'
import type { Journal } from './merchant/journal.ts'
import { openShop } from './merchant/shop.ts'
import type { Say } from './say.ts'
import { someAtATime } from './some-at-a-time.ts'

const CLIENTS = 16
const WORDS_EVERY = 10
const MAX_WAIT_MS = 600_000

/** How much is done, and how fast things happen at the gateways. */
interface Load {
  kills: number
  notifications: number
  slowMs: number
  happensEveryMs: number
}

/**
 * Kills the service again and again while 16 clients are paid at Adyen's double and at Stripe's, things happen there that nobody asked for,
 * and both send news of all of it: in any order, some twice, some late, and lies among it. In the end the service's books must be the
 * gateways', charge by charge, each acknowledged movement must be there once, each lie must have been refused, and nothing may wait.
 */
export async function notifications(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: {
      short: { type: 'boolean', default: false },
      kills: { type: 'string' },
      notifications: { type: 'string' },
    },
  })
  const usual = values.short
    ? { kills: 2, notifications: 300, slowMs: 300, happensEveryMs: 60 }
    : { kills: 50, notifications: 10_000, slowMs: 1500, happensEveryMs: 200 }
  const load = {
    ...usual,
    kills: Number(values.kills ?? usual.kills),
    notifications: Number(values.notifications ?? usual.notifications),
  }
  await inFolder((folder, atEnd) => killWhileTold(folder, atEnd, load, say))
}

interface World {
  stations: readonly Station[]
  read: Read
  api: HttpApi
  merchant: Keys & { merchantId: string }
  place: { databaseUrl: string; vaultKeys: string }
}

async function killWhileTold(folder: string, atEnd: AtEnd, load: Load, say: Say): Promise<void> {
  const postgres = await startOwnPostgres(folder)
  atEnd(postgres.stop)
  const databaseUrl = postgres.connectionString
  const settings = { SVC_VAULT_KEYS: VAULT_KEYS, SVC_RATE_LIMIT_WRONG_KEYS: '999999' }
  const start = () => startService({ folder, databaseUrl, settings })
  let service = await start()
  atEnd(() => service.stop())
  const place = { databaseUrl, vaultKeys: VAULT_KEYS }
  const [merchant, other] = await Promise.all([addMerchant(place), addMerchant(place)])
  const gateways = [await startTellingAdyen(), await startTellingStripe()] as const
  for (const { close } of gateways) atEnd(close)
  const [owned, others] = await Promise.all([
    Promise.all(gateways.map((gateway) => connect(place, gateway, merchant.merchantId))),
    connect(place, gateways[0], other.merchantId),
  ])
  const stations = owned.map((one) => ({ ...one, secretsOfOther: others.secrets }))
  const api = createHttpApi(() => service.port)
  atEnd(api.close)
  const read = readerOf(databaseUrl)
  const world = { stations, read, api, merchant, place }
  const journal = createJournal()
  const gatewayIds = stations.map(({ gatewayId }) => gatewayId)
  const shop = openShop(api, merchant, journal, CLIENTS, { gatewayIds })
  const courier = openCourier(api, stations, load.slowMs)
  const happenings = letThingsHappen(gateways, load.happensEveryMs)
  for (let kill = 1; kill <= load.kills; kill += 1) {
    await untilAccepted(courier, (load.notifications * kill) / (load.kills + 1))
    await sleep(Math.random() * 300)
    await service.kill()
    await read(askAtOnce)
    service = await start()
    if (kill % WORDS_EVERY === 0) say(`${kill} kills, ${courier.accepted()} notifications accepted`)
  }
  await untilAccepted(courier, load.notifications)
  const happened = await happenings.stop()
  await untilClosed(world, shop.close())
  await courier.finish()
  const waited = await untilNothingWaits(world)
  const { charges, unexplained, left } = await compare(world, journal, courier)
  say(
    `${load.kills} kills: ${courier.accepted()} notifications accepted (${courier.doubled()} again), ${courier.refused()} lies refused, ` +
      `${happened} things done at the gateways, ${journal.acknowledged.size} acknowledged operations on ${charges} charges: ` +
      `0 lost, 0 doubled, books equal but for ${left} left to a person; ${waited} waited until an hour had passed, ${unexplained} are unexplained`,
  )
}

/** Gives a merchant an account at a gateway that sends its notifications. */
async function connect(
  place: World['place'],
  gateway: TellingGateway,
  merchantId: string,
): Promise<Omit<Station, 'secretsOfOther'>> {
  const { baseUrl: url, ...account } = gateway.account
  const gatewayId = await addGateway(place, merchantId, { type: gateway.type, url, ...account })
  const hex = randomBytes(32).toString('hex')
  const key = gateway.type === 'stripe' ? `whsec_${hex}` : hex.toUpperCase()
  const shown = await setUpNotifications(place, [merchantId, gatewayId], key)
  return { gateway, gatewayId, secrets: { ...shown, signingKeys: [key] } }
}

const untilAccepted = ({ accepted, faults }: Courier, count: number) =>
  until(() => Promise.resolve(accepted() >= count || faults.length > 0), MAX_WAIT_MS)

/** How far back payments are that something happens to. */
const NEWEST = 80

/** Lets things happen to some of the newest payments that the service has not asked for. */
function letThingsHappen(gateways: readonly TellingGateway[], everyMs: number) {
  const state = { isOn: true, count: 0 }
  const going = (async () => {
    while (state.isOn) {
      await sleep(Math.random() * 2 * everyMs)
      const gateway = gateways[Math.floor(Math.random() * gateways.length)]
      const payments = gateway?.payments().slice(-NEWEST) ?? []
      const payment = payments[Math.floor(Math.random() * payments.length)]
      const what = HAPPENINGS[Math.floor(Math.random() * HAPPENINGS.length)]
      if (gateway === undefined || payment === undefined || what === undefined) continue
      gateway.happen(what, payment, 100 + Math.floor(Math.random() * 900))
      state.count += 1
    }
  })()
  return {
    async stop(): Promise<number> {
      state.isOn = false
      await going
      return state.count
    },
  }
}

/** A row's values, as text. */
type Read = (sql: string, values?: readonly unknown[]) => Promise<Record<string, string>[]>

function readerOf(connectionString: string): Read {
  return async (sql, values = []) => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    try {
      return (await client.query<Record<string, string>>(sql, [...values])).rows
    } finally {
      await client.end()
    }
  }
}

/** Nothing of a process that was killed is under way any more: the next one need not wait before it asks. */
const askAtOnce = `UPDATE attempts SET ask_after = now(), times_asked = 0 WHERE outcome = 'open'`
const lostSales = `
  SELECT id FROM attempts
  WHERE outcome = 'open' AND type = 'sale' AND gateway_id = $1 AND created_at < now() - interval '5 seconds'`
const isOpen = `SELECT id FROM attempts WHERE outcome = 'open' AND id = $1`
const makeOld = `UPDATE attempts SET created_at = created_at - interval '9 days' WHERE id = $1`

/**
 * Waits until the merchant has each answer. A sale that was written down and never sent to Adyen has no outcome for three minutes at
 * least; in place of waiting, it is made old, and the operator looks it up at Adyen and enters that it is not there.
 */
async function untilClosed({ stations, read, place }: World, closing: Promise<void>): Promise<void> {
  const state = { isClosed: false }
  const closed = closing.finally(() => (state.isClosed = true))
  const entering = (async () => {
    while (!state.isClosed) {
      for (const { gateway, gatewayId } of stations.filter((one) => one.gateway.type === 'adyen'))
        for (const { id = '' } of await read(lostSales, [gatewayId])) {
          if (gateway.knows(id) && gateway.booksOf(id).length > 0) continue
          await read(makeOld, [id])
          await enterNotCarriedOut(place, id).catch(async (error: unknown) => {
            // The service may have found out by itself meanwhile.
            if ((await read(isOpen, [id])).length > 0) throw error
          })
        }
      await sleep(200)
    }
  })()
  await Promise.all([closed, entering])
}

const unfinished = `
  SELECT (SELECT count(*) FROM attempts WHERE outcome = 'open') AS open,
         (SELECT count(*) FROM gateway_notifications WHERE state = 'waiting') AS waiting`
const makeDue = `
  UPDATE gateway_notifications SET try_after = now() WHERE state = 'waiting'`
const letHourPass = `
  UPDATE gateway_notifications SET try_after = now(), received_at = received_at - interval '1 hour' WHERE state = 'waiting'`
/** So often what waits is tried again before an hour passes. */
const TRIES = 5

/** Has what waits tried again until nothing does; returns how much waited until an hour had passed. */
async function untilNothingWaits({ read }: World): Promise<number> {
  let tries = 0
  let waited = 0
  await until(async () => {
    const [left] = await read(unfinished)
    const [open, waiting] = [Number(left?.['open']), Number(left?.['waiting'])]
    if (open === 0 && waiting === 0) return true
    tries = open === 0 ? tries + 1 : 0
    if (tries === TRIES) waited = waiting
    await read(tries < TRIES ? makeDue : letHourPass)
    await sleep(400)
    return false
  }, 60_000)
  return waited
}

const NONE: Books = { held: 0, taken: 0, refunded: 0 }
const net = ({ held, taken, refunded }: Books) => `held ${held}, kept ${taken - refunded}`

/** Compares journal, service and gateways. Throws with all that is wrong; else tells how much was compared. */
async function compare(
  world: World,
  journal: Journal,
  courier: Courier,
): Promise<{ charges: number; unexplained: number; left: number }> {
  const charges = await readCharges(world)
  const news = await world.read('SELECT charge_id, state, why, sent::text AS sent FROM gateway_notifications')
  const isLeft = (why: string | null | undefined) => LEFT_TO_A_PERSON.some((words) => why?.includes(words))
  const left = new Set(news.filter(({ why }) => isLeft(why)).map(({ charge_id: id }) => id))
  const faults = [
    ...courier.faults,
    ...bookFaults(
      charges.filter(({ _id: id }) => !left.has(id)),
      world.stations,
    ),
    ...paymentsOfNobody(charges, world.stations),
    ...movementFaults(charges, journal),
    ...newsFaults(news, courier.keys.size),
  ]
  if (faults.length > 0) throw new Error(`${faults.length} faults:\n${faults.slice(0, MAX_SHOWN).join('\n')}`)
  const unexplained = news.filter(({ state }) => state !== 'done').length
  return { charges: charges.length, unexplained, left: left.size }
}

/**
 * Only a person can say what moved (docs/gateways.md) of a capture that the gateway refused after the service had given its money back, and of
 * one of a part, after another part or a refund.
 */
const LEFT_TO_A_PERSON = ['money was given back before', 'after another part or a refund']

const MAX_SHOWN = 30

/** All of the merchant's charges, by the API. */
async function readCharges({ read, api, merchant }: World): Promise<ChargeResource[]> {
  const headers = { 'x-user-secret-key': merchant.secretKey }
  const rows = await read('SELECT id FROM charges WHERE merchant_id = $1', [merchant.merchantId])
  const charges: ChargeResource[] = []
  await someAtATime(rows.length, CLIENTS, async (number) => {
    const path = `/v1/charges/${rows[number]?.['id'] ?? ''}`
    const { text } = await api.send({ method: 'GET', path, headers })
    charges.push(v.parse(ChargeResource, v.parse(Envelope, JSON.parse(text)).resource.data))
  })
  return charges
}

/** Each payment must be a charge's. */
function paymentsOfNobody(charges: readonly ChargeResource[], stations: readonly Station[]): string[] {
  const sales = new Set(charges.map(({ transactions }) => transactions[0]?._id))
  const payments = stations.flatMap(({ gateway }) => gateway.payments())
  const strange = payments.filter(({ reference }) => !sales.has(reference))
  return strange.map(({ reference }) => `no charge has the payment ${reference}`)
}

/** Each charge must have one payment at most, and the gateway's money. */
function bookFaults(charges: readonly ChargeResource[], stations: readonly Station[]): string[] {
  return charges.flatMap((charge) => {
    const sale = charge.transactions[0]?._id ?? ''
    const theirs = stations.flatMap(({ gateway }) => gateway.booksOf(sale))
    if (theirs.length > 1) return [`${charge._id} was paid ${theirs.length} times`]
    const [ours, kept] = [net(booksBy(charge)[0] ?? NONE), net(theirs[0] ?? NONE)]
    return ours === kept
      ? []
      : [`${charge._id} ${charge.status}: service ${ours}, gateway ${kept}\n${pathOf(charge)}`]
  })
}

/** How a charge came to be what it is, for people. */
const pathOf = ({ reference, transactions }: ChargeResource) =>
  [
    reference,
    ...transactions.map((one) =>
      [one.type, one.amount, one.status, one.origin, one.error_code, one.external_id].join(' '),
    ),
  ].join('\n  ')

/** Each piece of news must be kept once and understood, and no lie kept. */
function newsFaults(news: readonly Record<string, string>[], accepted: number): string[] {
  const unclear = news.filter(({ state }) => state === 'not_understood')
  return [
    ...(news.length === accepted
      ? []
      : [`${accepted} pieces of news were accepted, ${news.length} are kept`]),
    ...news.filter(({ sent = '' }) => sent.includes(LIE)).map(({ sent }) => `a lie was kept: ${sent}`),
    ...unclear.map(({ why, sent }) => `not understood: ${why} ${sent}`),
  ]
}

/** Each movement that the merchant was told is done must be there once, whatever has become of it since. */
function movementFaults(charges: readonly ChargeResource[], { acknowledged, asked }: Journal): string[] {
  const times = new Map<string, number>()
  for (const { reference, transactions } of charges)
    for (const { type, amount, origin, status, error_code: code } of transactions) {
      if (origin === 'gateway' || (status === 'failed' && code === 'gateway_unavailable')) continue
      const movement = `${reference ?? ''} ${type} ${Math.round(amount * 100)}`
      times.set(movement, (times.get(movement) ?? 0) + 1)
    }
  const known = new Set<string>(asked)
  return [
    ...[...acknowledged].filter((one) => !times.has(one)).map((one) => `lost: ${one}`),
    ...[...times].filter(([, count]) => count > 1).map(([one]) => `doubled: ${one}`),
    ...[...times.keys()].filter((one) => !known.has(one)).map((one) => `not asked: ${one}`),
  ]
}
