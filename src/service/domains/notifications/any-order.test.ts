import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createServiceAtAdyen } from '../gateways/testing/service-at-adyen.ts'
import type { ServiceAtAdyen } from '../gateways/testing/service-at-adyen.ts'
import { booksBy } from '../gateways/testing/books-by-service.ts'
import type { ToldItem } from '../gateways/adyen/testing/double-ledger.ts'
import { testStatement } from '../../testing/test-statement.ts'

let adyen: ServiceAtAdyen
beforeAll(async () => {
  adyen = await createServiceAtAdyen({ SVC_RATE_LIMIT_WRONG_KEYS: '999999' })
})
afterAll(() => adyen.close())

const makeDue = testStatement(
  't_due_now',
  `UPDATE gateway_notifications SET try_after = now() - interval '1 second' WHERE state = 'waiting'`,
)

/** What waits by then has waited for long. */
const letHourPass = testStatement(
  't_hour_passes',
  `UPDATE gateway_notifications SET received_at = received_at - interval '1 hour' WHERE state = 'waiting'`,
)

/** `by us`: the merchant's server asks for it. `by hand`: somebody does it at Adyen. `later`: it fails there after it was carried out. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      by: fc.constant('us' as const),
      what: fc.constantFrom('captures' as const, 'cancels' as const, 'refunds' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      by: fc.constant('hand' as const),
      what: fc.constantFrom('captures' as const, 'cancels' as const, 'refunds' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      by: fc.constant('later' as const),
      what: fc.constantFrom('captures' as const, 'refunds' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('refusal' as const), what: fc.constant('captures') }) },
  {
    weight: 1,
    arbitrary: fc.record({ by: fc.constant('end of hold' as const), what: fc.constant('cancels') }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

const byUs = {
  captures: (id: string) => adyen.calls.capture(id, { amount: '100.00' }),
  cancels: (id: string) => adyen.calls.cancel(id),
  refunds: (id: string) => adyen.calls.refund(id, { amount: '40.00' }),
}

async function take(one: Step, charge: { id: string; payment: string; reference: string }) {
  const { ledger } = adyen.double
  if (one.by === 'us') await byUs[one.what](charge.id)
  else if (one.by === 'later') ledger.failLater(charge.reference, one.what)
  else if (one.by === 'refusal') ledger.refuseNext()
  else if (one.by === 'end of hold') ledger.expire(charge.reference)
  else byHand(one.what, charge)
}

function byHand(what: keyof typeof byUs, { payment, reference }: { payment: string; reference: string }) {
  const amount = { currency: 'AUD', value: what === 'refunds' ? 3000 : 10_000 }
  const body = { merchantAccount: 'Acme', reference }
  adyen.double.ledger.apply(`/payments/${payment}/${what}`, what === 'cancels' ? body : { ...body, amount })
}

/** Sends the items doubled, in this order, some to a notification, and forged ones between them; then works all of it off. */
async function send(items: readonly ToldItem[], forged: ToldItem) {
  for (let at = 0; at < items.length; at += 3) {
    expect((await adyen.notify(items.slice(at, at + 3))).statusCode).toBe(200)
    const change = { body: (body: string) => body.replaceAll('"SIGNED"', '"FORGED"') }
    expect((await adyen.notify([forged], change)).statusCode).toBe(401)
  }
  await workOff()
}

async function workOff() {
  for (let round = 0; round < 8; round += 1) {
    await adyen.service.database.run(makeDue, [])
    await adyen.service.runJob('hear gateways')
  }
}

const net = ({ held, taken, refunded }: { held: number; taken: number; refunded: number }) => ({
  held,
  kept: taken - refunded,
})
const NONE = { held: 0, taken: 0, refunded: 0 }

it(
  "news in any order, doubled, hours apart, beside forged news, brings the books to Adyen's",
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 7 }),
        fc.boolean(),
        fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
        fc.nat({ max: 12 }),
        async (steps, isHeld, order, early) => {
          const { ledger } = adyen.double
          const { _id, external_id, transactions } = await (isHeld ? adyen.hold() : adyen.sell())
          const charge = { id: _id, payment: external_id ?? '', reference: transactions[0]?._id ?? '' }
          for (const one of steps) await take(one, charge)
          const told = ledger.told.splice(0)
          const [first] = told
          if (first === undefined) throw new Error('Adyen tells of every sale')
          const doubled = [...told, ...told].map((item, at) => ({
            item,
            turn: order[at % order.length] ?? 0,
          }))
          const items = doubled.toSorted((one, other) => one.turn - other.turn).map(({ item }) => item)
          const forged = { ...first, pspReference: 'SIGNED' }
          await send(items.slice(0, early), forged)
          await adyen.service.database.run(letHourPass, [])
          await workOff()
          await send(items.slice(early), forged)
          const ours = booksBy(await adyen.calls.read(charge.id))[0] ?? NONE
          const theirs = ledger.booksOf(charge.reference)[0] ?? NONE
          expect(net(ours)).toEqual(net(theirs))
        },
      ),
      { numRuns: Number(process.env['NEWS_SEQUENCES'] ?? 12) },
    )
  },
)
