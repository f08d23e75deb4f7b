import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeCalls, chargeOf } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { operate } from '../../testing/operate.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { Answer, TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import type { NotificationSecrets } from '../gateways/gateway.ts'
import { booksBy } from '../gateways/testing/books-by-service.ts'
import { doubleFaults } from '../gateways/testing/double-faults.ts'
import { startTellingAdyen, startTellingStripe } from '../gateways/testing/telling-gateway.ts'
import type { Happening, TellingGateway } from '../gateways/testing/telling-gateway.ts'

/** How often each race is run, and each step meets each fault: `npm run faults` sets it to 100. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1)
const AT_ONCE = 10
/** In `npm test` some kinds stand for all. */
const SOME_FAULTS = ['silence after applying', 'reset before applying'] as const
const FAULTS = ROUNDS === 1 ? SOME_FAULTS : doubleFaults
/** A race of few rounds may always be won by the same. */
const RACES = Math.max(ROUNDS, 3)

const makeDue = testStatement(
  't_due_at_once',
  `UPDATE gateway_notifications SET try_after = now() - interval '1 second' WHERE state = 'waiting'`,
)
const countOpen = testStatement<{ open: number }>(
  't_open_at_once',
  `SELECT count(*) AS open FROM attempts WHERE outcome = 'open'`,
)

interface World {
  service: TestService
  calls: ChargeCalls
  gateway: TellingGateway
  gatewayId: string
  secrets: NotificationSecrets
}

const SIGNING_KEY = { adyen: 'A'.repeat(64), stripe: 'whsec_0123456789abcdef' } as const
const Shown = v.object({ user: v.optional(v.string(), ''), password: v.optional(v.string(), '') })

async function openWorld(gateway: TellingGateway): Promise<World> {
  const service = await createTestService({ gatewayTimeoutMs: 400, settleMs: 500 })
  const { apiKey, merchantAccount, baseUrl } = gateway.account
  const credentials = { api_key: apiKey, merchant_account: merchantAccount, base_url: baseUrl }
  const added = { name: 'Told', type: gateway.type, isDefault: true, credentials }
  const merchantId = service.merchant.merchant.id
  const gatewayId = (await service.merchants.addGateway(merchantId, added)) ?? ''
  const { said } = await operate(service, 'gateways notifications', [merchantId, gatewayId, '--json'])
  const key = SIGNING_KEY[gateway.type]
  await operate(service, 'gateways notifications', [merchantId, gatewayId, '--signing-key'], { secret: key })
  const secrets = { ...v.parse(Shown, JSON.parse(said)), signingKeys: [key] }
  return { service, calls: chargeCalls(service), gateway, gatewayId, secrets }
}

/** Sends all that the gateway has to tell, twice, and works off what came. */
async function tell({ service, gateway, gatewayId, secrets }: World): Promise<void> {
  const url = `/gateways/${gatewayId}/notifications`
  const parcels = gateway.takeParcels()
  await Promise.all(
    [...parcels, ...parcels].map(async (parcel) => {
      const { headers, body } = parcel.signed(secrets)
      const { statusCode } = await service.raw({ method: 'POST', url, headers, payload: body })
      expect(statusCode).toBe(200)
    }),
  )
  await service.database.run(makeDue, [])
  await service.runJob('hear gateways')
}

/** Until nothing is open, and all that was told is worked off. */
async function settle(world: World): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    await world.service.runJob('resolve attempts')
    await tell(world)
    const [row] = await world.service.database.run(countOpen, [])
    if (row?.open === 0) break
    await sleep(20)
  }
  for (let times = 0; times < 4; times += 1) await tell(world)
}

const net = (books: { held: number; taken: number; refunded: number }[]) => {
  const [{ held, taken, refunded } = { held: 0, taken: 0, refunded: 0 }] = books
  return { held, kept: taken - refunded }
}

/** Of which of these charges the service and the gateway have different books. */
async function differencesIn({ calls, gateway }: World, ids: readonly string[]): Promise<string[]> {
  const differences = await Promise.all(
    ids.map(async (id) => {
      const charge = await calls.read(id)
      const ours = JSON.stringify(net(booksBy(charge)))
      const theirs = JSON.stringify(net(gateway.booksOf(charge.transactions[0]?._id ?? '')))
      return ours === theirs ? [] : [`${id}: ${ours} here, ${theirs} there`]
    }),
  )
  return differences.flat()
}

async function sold({ service, calls, gatewayId }: World, query: string): Promise<Answer> {
  const token = await service.tokenise({ gateway_id: gatewayId })
  return calls.sell({ amount: '100.00', currency: 'AUD', token }, query)
}

/** As many holds, or with `isTaken` captured charges; nothing of them is left to be told. */
async function begun(world: World, count: number, isTaken: boolean): Promise<string[]> {
  const ids = await Promise.all(
    Array.from({ length: count }, async () => {
      const { _id: id } = chargeOf(await sold(world, '?capture=false'))
      if (isTaken) await world.calls.capture(id)
      return id
    }),
  )
  await settle(world)
  const charges = await Promise.all(ids.map((id) => world.calls.read(id)))
  const good = charges
    .filter(({ status }) => status === (isTaken ? 'complete' : 'pending'))
    .map(({ _id: id }) => id)
  return good.length === count ? good : [...good, ...(await begun(world, count - good.length, isTaken))]
}

function happen({ gateway }: World, what: Happening, saleId: string | null): void {
  const payment = gateway.payments().find(({ id }) => id === saleId)
  if (payment === undefined) throw new Error('the gateway has no such payment')
  gateway.happen(what, payment, 10_000)
}

describe.each([
  ['Adyen', startTellingAdyen],
  ['Stripe', startTellingStripe],
] as const)('at %s', (_, start) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(await start())
  }, 60_000)
  afterAll(async () => {
    await world.service.close()
    await world.gateway.close()
  })
  const timeout = { timeout: 60_000 + ROUNDS * 6000 }

  it.each([
    ['captured by hand', 'hold'],
    ['cancelled by hand', 'hold'],
    ['hold ends', 'hold'],
    ['refunded by hand', 'capture'],
  ] as const)(
    '“%s” races with the merchant’s own requests: the books are equal',
    timeout,
    async (what, on) => {
      const ids: string[] = []
      for (let race = 0; race < RACES; race += 1) {
        const [id = ''] = await begun(world, 1, on === 'capture')
        const { external_id: saleId } = await world.calls.read(id)
        const ours =
          on === 'capture'
            ? [() => world.calls.refund(id, {}), () => world.calls.refund(id, { amount: '40.00' })]
            : [() => world.calls.capture(id), () => world.calls.cancel(id)]
        await Promise.all([
          ...[...ours, ...ours].map((ask) => ask()),
          sleep(race % 4).then(() => happen(world, what, saleId)),
          sleep(race % 3).then(() => tell(world)),
          sleep(5 + (race % 5)).then(() => tell(world)),
        ])
        ids.push(id)
      }
      await settle(world)
      expect(await differencesIn(world, ids)).toEqual([])
    },
  )

  it.each(FAULTS)('an attempt that met "%s" is told of before it is asked about', timeout, async (fault) => {
    const ids: string[] = []
    for (let round = 0; round < ROUNDS; round += AT_ONCE) {
      const count = Math.min(AT_ONCE, ROUNDS - round)
      const [toCapture, toCancel, toRefund] = [
        await begun(world, count, false),
        await begun(world, count, false),
        await begun(world, count, true),
      ]
      const acts = [
        ...toCapture.flatMap((id) => [
          () => sold(world, '?capture=false'),
          () => sold(world, ''),
          () => world.calls.capture(id),
        ]),
        ...toCancel.map((id) => () => world.calls.cancel(id)),
        ...toRefund.map((id) => () => world.calls.refund(id, {})),
      ]
      for (const act of acts) {
        world.gateway.breakNext(fault)
        ids.push(chargeOf(await act())._id)
      }
      world.gateway.heal()
      await tell(world)
      await settle(world)
    }
    expect((await world.service.database.run(countOpen, []))[0]?.open).toBe(0)
    expect(await differencesIn(world, ids)).toEqual([])
  })
})
