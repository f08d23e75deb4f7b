import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeCalls, chargeOf } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { doubleFaults } from './testing/double-faults.ts'
import { GATEWAYS, sides } from './testing/service-at.ts'
import type { GatewayName, GatewaySide } from './testing/service-at.ts'
import { booksBy } from './testing/books-by-service.ts'
import type { Books } from './testing/gateway-bed.ts'
import { testStatement } from '../../testing/test-statement.ts'

/** How often each step meets each fault: once in `npm test`, 100 times in `npm run faults`. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1)
const AT_ONCE = 10
const steps = ['hold', 'take', 'capture', 'cancel', 'refund'] as const
type Step = (typeof steps)[number]

/** A gateway that breaks: by its next requests, or by the cents of amounts. */
interface Trouble extends Pick<GatewaySide, 'gatewayId' | 'booksOf' | 'heal'> {
  cents: string
  arm: () => void
}

let service: TestService
let calls: ChargeCalls
let there: Record<GatewayName, GatewaySide>
const table: Record<string, Record<string, number>> = {}
const countOpen = testStatement<{ open: number }>(
  't_count_open',
  `SELECT count(*) AS open FROM attempts WHERE outcome = 'open'`,
)

beforeAll(async () => {
  service = await createTestService({ gatewayTimeoutMs: 400, settleMs: 500 })
  calls = chargeCalls(service)
  there = {
    'the sandbox': await sides['the sandbox'](service),
    Adyen: await sides.Adyen(service),
    Stripe: await sides.Stripe(service),
  }
}, 60_000)
afterAll(async () => {
  console.table(table)
  await service.close()
  for (const name of GATEWAYS) await there[name].close()
})

describe('a fault at any step has one effect at most, and the books agree', () => {
  const timeout = { timeout: 60_000 + ROUNDS * 5000 }
  const doubles = ['Adyen', 'Stripe'] as const

  it.each(doubles.flatMap((name) => doubleFaults.map((fault) => [name, fault] as const)))(
    '%s: %s',
    timeout,
    async (name, fault) => {
      const trouble = { ...there[name], cents: '00', arm: () => there[name].breakNext(fault) }
      await meet(`${name}: ${fault}`, steps, trouble)
    },
  )

  it.each(doubleFaults)('Stripe, before it has the card: %s', timeout, async (fault) => {
    const arm = () => there.Stripe.breakNext(fault, { anyRequest: true })
    await meet(`Stripe, no card yet: ${fault}`, ['hold', 'take'], { ...there.Stripe, cents: '00', arm })
  })

  it.each(doubles)('%s: nobody listens', timeout, async (name) => {
    const gone = await sides[name](service)
    await gone.close()
    const trouble = { ...gone, cents: '00', arm: quiet, booksOf: () => Promise.resolve([]) }
    await meet(`${name}: nobody listens`, ['hold', 'take'], trouble)
  })

  it.each(['68', '69', '91', '92'])('the sandbox: .%s', timeout, async (cents) => {
    const trouble = { ...there['the sandbox'], cents, arm: quiet }
    await meet(`the sandbox: .${cents}`, ['hold', 'take', 'capture', 'refund'], trouble)
  })
})

const quiet = () => undefined

async function meet(name: string, these: readonly Step[], trouble: Trouble): Promise<void> {
  const count = { tried: 0, 'answered at once': 0, resolved: 0, open: 0, different: 0 }
  for (const step of these) {
    for (let done = 0; done < ROUNDS; done += AT_ONCE) {
      const prepared = await inParallel(Math.min(AT_ONCE, ROUNDS - done), () => prepare(step, trouble))
      const answers = await Promise.all(
        prepared.map((id) => {
          trouble.arm()
          return act(step, id, trouble)
        }),
      )
      trouble.heal()
      count.open += await resolveAll()
      for (const answer of answers) {
        const charge = await calls.read(chargeOf(answer)._id)
        const [sale] = charge.transactions
        const kept = await trouble.booksOf(sale?._id ?? '')
        count.tried += 1
        count[answer.body.error?.code === 'outcome_unknown' ? 'resolved' : 'answered at once'] += 1
        if (JSON.stringify(kept.filter(isMoney)) !== JSON.stringify(booksBy(charge))) count.different += 1
      }
    }
  }
  table[name] = count
  expect(count).toMatchObject({ open: 0, different: 0, tried: ROUNDS * these.length })
}

/** What a step begins with: a token, or a charge that is held or taken. */
async function prepare(step: Step, trouble: Trouble): Promise<string> {
  const token = await service.tokenise({ gateway_id: trouble.gatewayId })
  if (step === 'hold' || step === 'take') return token
  const { _id: id } = chargeOf(await calls.sell({ amount: '9900.00', currency: 'AUD', token }))
  if (step === 'refund') await calls.capture(id)
  await resolveAll()
  const { status } = await calls.read(id)
  // On a busy machine even a good answer may come too late; then this one is no beginning.
  return status === (step === 'refund' ? 'complete' : 'pending') ? id : prepare(step, trouble)
}

function act(step: Step, id: string, { cents }: Trouble) {
  const amount = `9000.${cents}`
  switch (step) {
    case 'hold':
    case 'take':
      return calls.sell({ amount, currency: 'AUD', token: id }, step === 'hold' ? '?capture=false' : '')
    case 'capture':
      return calls.capture(id, { amount })
    case 'cancel':
      return calls.cancel(id)
    case 'refund':
      return calls.refund(id, { amount })
  }
}

/** Lets the background job ask until nothing is open; how much is in the end. */
async function resolveAll(): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const [row] = await service.database.run(countOpen, [])
    if (row?.open === 0) return 0
    await service.runJob('resolve attempts')
    await sleep(20)
  }
  return (await service.database.run(countOpen, []))[0]?.open ?? 0
}

const inParallel = <Result>(times: number, work: () => Promise<Result>) =>
  Promise.all(Array.from({ length: times }, work))

const isMoney = ({ held, taken, refunded }: Books) => held + taken + refunded > 0
