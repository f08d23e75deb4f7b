import { setTimeout as sleep } from 'node:timers/promises'
import { randomInt } from 'node:crypto'
import type { FollowUpRequest, Gateway, GatewayAnswer, AuthorisationRequest } from '../gateway.ts'
import type { Entry, Ledger } from './ledger.ts'
import { meaningOf } from './response-codes.ts'
import { APPROVES, courseOf, courseOfSale } from './steering.ts'
import type { Course } from './steering.ts'
import type { Database } from '../../../platform/database/database.ts'
import { createLedger } from './ledger.ts'

interface Parts {
  ledger: Ledger
  /** How long the sandbox keeps a hold. */
  holdSeconds: number
  /** Twelve random digits, the reference of one operation. */
  createReference: () => string
}

/** A gateway with books of its own, whose outcomes amounts and expiry dates steer (contract §4). */
export function createSandboxGateway({ ledger, holdSeconds, createReference }: Parts): Gateway {
  const authorise = ({ attemptId, amount, currency, capture, card, signal }: AuthorisationRequest) => {
    const course = courseOfSale(amount, card)
    const order = { attemptId, holdId: attemptId, amount, code: course.code }
    return travel(course, signal, () =>
      ledger.authorise(
        { ...order, reference: createReference() },
        { currency, seconds: holdSeconds, capture },
      ),
    )
  }
  const settle = (kind: 'capture' | 'cancel' | 'refund', course: Course, operation: FollowUpRequest) => {
    const { attemptId, sale, amount, signal } = operation
    const order = { attemptId, holdId: sale.id, amount, code: course.code }
    return travel(course, signal, () => ledger.settle(kind, { ...order, reference: createReference() }))
  }
  return {
    authorise,
    capture: (operation) => settle('capture', courseOf(operation.amount), operation),
    cancel: (operation) => settle('cancel', APPROVES, operation),
    refund: (operation) => settle('refund', courseOf(operation.amount), operation),
    outcomeOf: async ({ attemptId }) => answerOf(await ledger.close(attemptId), holdSeconds),
  }

  async function travel(
    course: Course,
    signal: AbortSignal,
    apply: () => Promise<Entry>,
  ): Promise<GatewayAnswer> {
    if (course.breaks === 'before_sending') return { kind: 'unreachable' }
    if (course.breaks === 'before_applying') return silence(signal)
    await sleep(course.delayMs, undefined, { signal }).catch(() => undefined)
    const entry = await apply()
    if (course.breaks === 'after_applying') return silence(signal)
    const answer = answerOf(entry, holdSeconds)
    return answer.kind === 'not_received' ? { kind: 'unknown' } : answer
  }
}

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

/** Nothing comes back until the caller has stopped waiting. */
function silence(signal: AbortSignal): Promise<GatewayAnswer> {
  return new Promise((resolve) => {
    const stop = () => resolve({ kind: 'unknown' })
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

/** The sandbox with its books in the service's database; holds last `holdSeconds`. */
export function openSandbox(database: Database, holdSeconds: number): Gateway {
  return createSandboxGateway({
    ledger: createLedger(database),
    holdSeconds,
    createReference: () => String(randomInt(1e12)).padStart(12, '0'),
  })
}
