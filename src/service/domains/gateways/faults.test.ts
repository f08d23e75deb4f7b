import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'
import type { ChargeStatus } from '../charges/charge.ts'
import { chargeCalls, chargeOf } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { Answer, TestService } from '../../testing/test-service.ts'
import { doubleFaults } from './testing/double-faults.ts'
import { GATEWAYS, sides } from './testing/service-at.ts'
import type { BankSide, GatewayName, GatewaySide } from './testing/service-at.ts'
import { booksBy } from './testing/books-by-service.ts'
import type { Books } from './testing/gateway-bed.ts'
import { testStatement } from '../../testing/test-statement.ts'

/** How often each step meets each fault: once in `npm test`, 100 times in `npm run faults`. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1)
const AT_ONCE = 10
const SOME_FAULTS = ['silence after applying', 'reset before applying', 'rubbish'] as const
const steps = ['hold', 'take', 'capture', 'cancel', 'refund'] as const
/** What is asked of a gateway while a card holder's bank has a say. */
const bankSteps = ['ask', 'pass', 'give up'] as const
type BankStep = (typeof bankSteps)[number] | 'hidden frame'
type Step = (typeof steps)[number] | BankStep

/** A gateway that breaks: by its next requests, or by the cents of amounts. */
interface Trouble extends Pick<GatewaySide, 'gatewayId' | 'booksOf' | 'heal' | 'bank'> {
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

const endTime = testStatement(
  't_end_authentication',
  `UPDATE charge_authentications SET expires_at = now() - interval '1 second' WHERE charge_id = $1`,
)
const browser = {
  language: 'en-AU',
  time_zone_offset: -600,
  screen_width: 390,
  screen_height: 844,
  color_depth: 24,
}

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
  /** In `npm test` some kinds stand for all. */
  const bankFaults = ROUNDS === 1 ? SOME_FAULTS : doubleFaults

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

  it.each(doubles.flatMap((name) => bankFaults.map((fault) => [name, fault] as const)))(
    '%s, while the bank has a say: %s',
    timeout,
    async (name, fault) => {
      // Of Stripe's requests some only read, or prepare for the card.
      for (const anyRequest of name === 'Stripe' ? [true, false] : [true]) {
        const arm = () => there[name].breakNext(fault, { anyRequest })
        const those = anyRequest ? 'any request' : 'what moves money'
        const these = name === 'Adyen' ? [...bankSteps, 'hidden frame' as const] : bankSteps
        await meet(`${name}, bank, ${those}: ${fault}`, these, { ...there[name], cents: '00', arm })
      }
    },
  )

  it.each(doubles)('%s: nobody listens', timeout, async (name) => {
    const gone = await sides[name](service)
    await gone.close()
    const trouble = { ...gone, cents: '00', arm: quiet, booksOf: () => Promise.resolve([]) }
    await meet(`${name}: nobody listens`, ['hold', 'take'], trouble)
  })

  it.each(['68', '69', '91', '92'])('the sandbox: .%s', timeout, async (cents) => {
    const trouble = { ...there['the sandbox'], cents, arm: quiet }
    await meet(`the sandbox: .${cents}`, ['hold', 'take', 'capture', 'refund', 'ask'], trouble)
  })

  it.each(['61', '62', '63'])('the sandbox, while its bank has a say: .%s', timeout, async (cents) => {
    const trouble = { ...there['the sandbox'], cents, arm: quiet }
    await meet(`the sandbox, bank: .${cents}`, ['pass', 'give up', 'hidden frame'], trouble)
  })
})

const quiet = () => undefined

/** How a charge ends whatever breaks: who has passed has paid, and who gave up has not. */
const ENDS: Partial<Record<Step, readonly ChargeStatus[]>> = {
  pass: ['pending'],
  'hidden frame': ['pending'],
  'give up': ['not_authenticated'],
}

async function meet(name: string, these: readonly Step[], trouble: Trouble): Promise<void> {
  const count = { tried: 0, 'answered at once': 0, resolved: 0, open: 0, different: 0 }
  for (const step of these) {
    for (let done = 0; done < ROUNDS; done += AT_ONCE) {
      const prepared = await inParallel(Math.min(AT_ONCE, ROUNDS - done), () => prepare(step, trouble))
      const answers = await Promise.all(
        prepared.map((begun) => {
          trouble.arm()
          return act(step, begun, trouble)
        }),
      )
      trouble.heal()
      for (const answer of answers) if (hasBank(step)) await finishAtBank(step, chargeOf(answer), trouble)
      count.open += await resolveAll()
      for (const answer of answers) {
        const charge = await calls.read(chargeOf(answer)._id)
        const kept = await trouble.booksOf(saleIdOf(charge))
        count.tried += 1
        count[answer.body.error?.code === 'outcome_unknown' ? 'resolved' : 'answered at once'] += 1
        if (JSON.stringify(kept.filter(isMoney)) !== JSON.stringify(booksBy(charge))) count.different += 1
        if (ENDS[step]?.includes(charge.status) === false) count.different += 1
      }
    }
  }
  table[name] = count
  expect(count).toMatchObject({ open: 0, different: 0, tried: ROUNDS * these.length })
}

const saleIdOf = ({ transactions }: ChargeResource) =>
  transactions.find(({ type }) => type === 'sale')?._id ?? ''

/** What a step begins with: a token, or a charge that is held or taken, or whose card holder is asked. */
interface Begun {
  token: string
  answer: Answer | null
}

async function prepare(step: Step, trouble: Trouble): Promise<Begun> {
  if (hasBank(step)) return prepareAtBank(step, trouble)
  const token = await service.tokenise({ gateway_id: trouble.gatewayId })
  if (step === 'hold' || step === 'take') return { token, answer: null }
  const answer = await calls.sell({ amount: '9900.00', currency: 'AUD', token })
  const { _id: id } = chargeOf(answer)
  if (step === 'refund') await calls.capture(id)
  await resolveAll()
  const { status } = await calls.read(id)
  // On a busy machine even a good answer may come too late; then this one is no beginning.
  return status === (step === 'refund' ? 'complete' : 'pending') ? { token, answer } : prepare(step, trouble)
}

async function prepareAtBank(step: BankStep, trouble: Trouble): Promise<Begun> {
  const { gatewayId, bank, cents } = trouble
  const card = step === 'hidden frame' ? bank?.hiddenFrame : bank?.asks
  const token = await service.tokenise({ gateway_id: gatewayId, browser, ...card })
  if (step === 'ask') return { token, answer: null }
  const answer = await calls.sell({ amount: `9900.${cents}`, currency: 'AUD', token })
  const { status } = chargeOf(answer)
  return status === 'pre_authentication_pending' ? { token, answer } : prepareAtBank(step, trouble)
}

const hasBank = (step: Step): step is BankStep =>
  step === 'hidden frame' || bankSteps.some((one) => one === step)

/** The answer to a step, or to what it began with. */
async function act(step: Step, { token, answer }: Begun, { cents, bank }: Trouble): Promise<Answer> {
  const amount = `9000.${cents}`
  if (step === 'hold' || step === 'ask') return calls.sell({ amount, currency: 'AUD', token })
  if (step === 'take') return calls.sell({ amount, currency: 'AUD', token }, '')
  if (answer === null) throw new Error(`${step} begins with nothing`)
  const charge = chargeOf(answer)
  switch (step) {
    case 'capture':
      return calls.capture(charge._id, { amount })
    case 'cancel':
      return calls.cancel(charge._id)
    case 'refund':
      return calls.refund(charge._id, { amount })
    case 'pass':
      await comeBack(charge, bank)
      return answer
    case 'give up':
    case 'hidden frame':
      await tellOf(charge, step)
      return answer
  }
}

/** The bank's page sends the card holder's browser back. */
async function comeBack(charge: ChargeResource, bank: BankSide | null): Promise<void> {
  const fields = (await bank?.visit(saleIdOf(charge), 'passes')) ?? {}
  await service.raw({
    method: 'POST',
    url: `/3ds/${charge._3ds?.id ?? ''}/return`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
}

/** What the page tells of a hidden frame, or that the card holder gives up. */
async function tellOf({ _3ds }: ChargeResource, step: 'give up' | 'hidden frame'): Promise<void> {
  await service.call({
    url: `/v1/authentications/${_3ds?.id ?? ''}`,
    headers: { authorization: `Bearer ${_3ds?.token ?? ''}` },
    ...(step === 'give up'
      ? { method: 'DELETE' }
      : { method: 'POST', payload: { kind: 'method', step_number: 0, completed: true } }),
  })
}

/** The card holder goes on if they still can, or has given up for good. */
async function finishAtBank(step: Step, begun: ChargeResource, { bank }: Trouble): Promise<void> {
  if (step === 'give up') {
    await service.database.run(endTime, [begun._id])
    return
  }
  await service.runJob('resolve attempts')
  const { status } = await calls.read(begun._id)
  if (status === 'pre_authentication_pending') await comeBack(begun, bank)
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
