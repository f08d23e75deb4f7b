import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'
import type {
  AuthorisationRequest,
  DeclineReason,
  FollowUpRequest,
  Gateway,
  GatewayAnswer,
} from './gateway.ts'
import { sandboxDisputes } from './sandbox-disputes.ts'
import { closeEntry, enterAuthorisation, enterFollowUp } from './sandbox-ledger.ts'
import type { Entry } from './sandbox-ledger.ts'

/**
 * A gateway with books of its own in the service's database; amounts and expiry dates choose what it does (contract §4). Holds last
 * `holdSeconds`. `createReference`: the twelve digits of an answer's `externalReference`.
 */
export function createSandboxGateway(
  database: Database,
  holdSeconds: number,
  createReference = randomReference,
): Gateway {
  const authorise = ({ attemptId, amount, currency, capture, card, signal }: AuthorisationRequest) => {
    const scenario = scenarioOfCard(amount, card)
    const order = { attemptId, holdId: attemptId, amount, code: scenario.code, reference: createReference() }
    return play(scenario, signal, () =>
      enterAuthorisation(database, order, { currency, seconds: holdSeconds, capture }),
    )
  }
  const follow = (kind: 'capture' | 'cancel' | 'refund', scenario: Scenario, request: FollowUpRequest) => {
    const { attemptId, sale, amount, signal } = request
    const order = { attemptId, holdId: sale.id, amount, code: scenario.code, reference: createReference() }
    return play(scenario, signal, () => enterFollowUp(database, kind, order))
  }
  return {
    authorise,
    capture: (request) => follow('capture', scenarioOf(request.amount), request),
    cancel: (request) => follow('cancel', APPROVES, request),
    refund: (request) => follow('refund', scenarioOf(request.amount), request),
    outcomeOf: async ({ attemptId }) => answerOf(await closeEntry(database, attemptId), holdSeconds),
    disputes: sandboxDisputes(database),
  }

  async function play(
    scenario: Scenario,
    signal: AbortSignal,
    apply: () => Promise<Entry>,
  ): Promise<GatewayAnswer> {
    if (scenario.breaks === 'before_sending') return { kind: 'unreachable' }
    if (scenario.breaks === 'before_applying') return silence(signal)
    await sleep(scenario.delayMs, undefined, { signal }).catch(() => undefined)
    const entry = await apply()
    if (scenario.breaks === 'after_applying') return silence(signal)
    const answer = answerOf(entry, holdSeconds)
    return answer.kind === 'not_received' ? { kind: 'unknown' } : answer
  }
}

const randomReference = () => String(randomInt(1e12)).padStart(12, '0')

type KnownAnswer = Extract<GatewayAnswer, { kind: 'approved' | 'declined' }> | { kind: 'not_received' }

function answerOf(entry: Entry, holdSeconds: number): KnownAnswer {
  if (entry.result === 'not_received') return { kind: 'not_received' }
  const { description, reason } = meaningOf(entry.response_code)
  const answered = {
    code: entry.response_code,
    description,
    externalId: entry.hold_id,
    externalReference: entry.reference,
  }
  return reason === null
    ? { ...answered, kind: 'approved', holdSeconds }
    : { ...answered, kind: 'declined', reason }
}

/** Answers nothing until the caller stops waiting. */
function silence(signal: AbortSignal): Promise<GatewayAnswer> {
  return new Promise((resolve) => {
    const stop = () => resolve({ kind: 'unknown' })
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

interface Meaning {
  description: string
  /** Null approves. */
  reason: DeclineReason | null
}

/** The response codes that the sandbox gives (ISO 8583:1987, field 39; 79 is the sandbox's own). */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  '00': { description: 'Approved', reason: null },
  '05': { description: 'Do not honour', reason: 'do_not_honour' },
  '12': { description: 'Invalid transaction', reason: 'invalid_transaction' },
  '13': { description: 'Invalid amount', reason: 'invalid_transaction' },
  '51': { description: 'Insufficient funds', reason: 'insufficient_funds' },
  '54': { description: 'Expired card', reason: 'expired_card' },
  '59': { description: 'Suspected fraud', reason: 'suspected_fraud' },
  '79': { description: 'Authorisation expired', reason: 'authorisation_expired' },
}

/** What a response code means; an unlisted one declines. */
function meaningOf(code: string): Meaning {
  return MEANINGS[code] ?? { description: 'Declined', reason: 'do_not_honour' }
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
