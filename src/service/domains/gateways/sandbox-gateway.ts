import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'
import type { FollowUpRequest, Gateway } from './gateway.ts'
import { abandonSale, closeSale, countEnd, finishSale, sell } from './sandbox-bank/sale.ts'
import { answerOf } from './sandbox-answers.ts'
import { sandboxDisputes } from './sandbox-disputes.ts'
import { enterFollowUp } from './sandbox-ledger.ts'

interface Options {
  /** The origin of the sandbox's bank; null: nobody is authenticated. */
  bankUrl?: string | null
  /** Makes the twelve digits of an answer's `externalReference`. */
  createReference?: () => string
}

/**
 * A gateway with books of its own in the service's database; amounts, cards and expiry dates choose what it does (contract §4). Holds last
 * `holdSeconds`.
 */
export function createSandboxGateway(
  database: Database,
  holdSeconds: number,
  { bankUrl = null, createReference = randomReference }: Options = {},
): Gateway {
  const deps = { database, holdSeconds, bankUrl }
  const follow = (kind: 'capture' | 'cancel' | 'refund', scenario: Scenario, request: FollowUpRequest) => {
    const { attemptId, sale, amount, signal } = request
    const order = { attemptId, holdId: sale.id, amount, code: scenario.code, reference: createReference() }
    return play(scenario, signal, async () =>
      answerOf(await enterFollowUp(database, kind, order), { holdSeconds }),
    )
  }
  return {
    authorise(request) {
      const scenario = scenarioOfCard(request.amount, request.card)
      const reference = createReference()
      return play(scenario, request.signal, () => sell(deps, request, { code: scenario.code, reference }))
    },
    capture: (request) => follow('capture', scenarioOf(request.amount), request),
    cancel: (request) => follow('cancel', APPROVES, request),
    refund: (request) => follow('refund', scenarioOf(request.amount), request),
    outcomeOf: ({ attemptId }) => closeSale(deps, attemptId),
    ...(bankUrl !== null && {
      authentication: {
        async finish({ attemptId, amount, stepNumber, told, signal }) {
          const scenario = told.kind === 'look' ? APPROVES : await scenarioOfEnd(database, attemptId, amount)
          return play(scenario, signal, () => finishSale(deps, bankUrl, { attemptId, stepNumber, told }))
        },
        async abandon({ attemptId, amount, signal }) {
          const scenario = await scenarioOfEnd(database, attemptId, amount)
          return play(scenario, signal, () => abandonSale(deps, attemptId))
        },
      },
    }),
    disputes: sandboxDisputes(database),
  }
}

/** Does what the scenario says of the connection, and between that what the sandbox is asked for. */
async function play<Answer>(
  scenario: Scenario,
  signal: AbortSignal,
  apply: () => Promise<Answer>,
): Promise<Exclude<Answer, { kind: 'not_received' }> | { kind: 'unreachable' } | { kind: 'unknown' }> {
  if (scenario.breaks === 'before_sending') return { kind: 'unreachable' }
  if (scenario.breaks === 'before_applying') return silence(signal)
  await sleep(scenario.delayMs, undefined, { signal }).catch(() => undefined)
  const answer = await apply()
  if (scenario.breaks === 'after_applying') return silence(signal)
  return isReceived(answer) ? answer : { kind: 'unknown' }
}

function isReceived<Answer>(answer: Answer): answer is Exclude<Answer, { kind: 'not_received' }> {
  return !(
    typeof answer === 'object' &&
    answer !== null &&
    'kind' in answer &&
    answer.kind === 'not_received'
  )
}

const randomReference = () => String(randomInt(1e12)).padStart(12, '0')

/** Answers nothing until the caller stops waiting. */
function silence(signal: AbortSignal): Promise<{ kind: 'unknown' }> {
  return new Promise((resolve) => {
    const stop = () => resolve({ kind: 'unknown' })
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

/** What the sandbox does with a request, chosen by its amount or card before anything is kept. */
interface Scenario {
  /** Response code of ISO 8583 field 39; `00` approves. */
  code: string
  /** Where the connection breaks: before anything is sent, before it is carried out, after it is carried out. */
  breaks: 'never' | 'before_sending' | 'before_applying' | 'after_applying'
  /** How long the sandbox waits before it answers. */
  delayMs: number
}

const APPROVES: Scenario = { code: '00', breaks: 'never', delayMs: 0 }

/** From this amount up the cents choose the scenario (contract §4, sandbox gateway). */
const SCENARIOS_FROM_CENTS = 900_000
const SCENARIO_BY_CENTS: Readonly<Record<number, Scenario>> = {
  51: { ...APPROVES, code: '51' },
  54: { ...APPROVES, code: '54' },
  59: { ...APPROVES, code: '59' },
  68: { ...APPROVES, breaks: 'after_applying' },
  69: { ...APPROVES, breaks: 'before_applying' },
  91: { ...APPROVES, breaks: 'before_sending' },
  92: { ...APPROVES, delayMs: 3000 },
}

/** The scenario of an amount in cents. */
function scenarioOf(amount: number): Scenario {
  if (amount < SCENARIOS_FROM_CENTS) return APPROVES
  return SCENARIO_BY_CENTS[amount % 100] ?? APPROVES
}

/** The scenario of an authorisation: a card that expires in 05/39 is declined with 05, do not honour. */
function scenarioOfCard(amount: number, card: { expireMonth: number; expireYear: number }): Scenario {
  const isDeclined = card.expireMonth === 5 && card.expireYear === 2039
  return isDeclined ? { ...APPROVES, code: '05' } : scenarioOf(amount)
}

/** From `SCENARIOS_FROM_CENTS` up: what happens to the first request that tells how an authentication has ended. */
const END_BY_CENTS: Readonly<Record<number, Scenario>> = {
  61: { ...APPROVES, breaks: 'after_applying' },
  62: { ...APPROVES, breaks: 'before_applying' },
  63: { ...APPROVES, breaks: 'before_sending' },
}

/** The scenario of a request that tells how an authentication has ended. */
async function scenarioOfEnd(database: Database, attemptId: string, amount: number): Promise<Scenario> {
  const scenario = amount < SCENARIOS_FROM_CENTS ? undefined : END_BY_CENTS[amount % 100]
  return scenario !== undefined && (await countEnd(database, attemptId)) ? scenario : APPROVES
}
