import type { Gateway, GatewayAnswer } from '../../gateways/gateway.ts'
import type { AskGateway } from './ask-gateway.ts'
import type { ClockSteps } from './attempt-age.ts'
import { outcomeAfter, statusAfter } from '../charge.ts'
import type { Attempt, Charge } from '../charge.ts'
import { chargeEvent } from '../charge-event.ts'
import type { ChargeStore } from '../charge-store.ts'
import type { NewAttempt } from '../statements/movement-values.ts'
import { toOpenOperation } from './gateway-operation.ts'

/** How a movement ended: the charge as it is now, and the attempt, still `open` when no answer came. */
export interface Movement {
  charge: Charge
  attempt: Attempt
}

/** What is known of an attempt in the end. */
type Answer = Exclude<GatewayAnswer, { kind: 'unknown' }> | { kind: 'not_received' }

type Send = (gateway: Gateway, signal: AbortSignal) => Promise<GatewayAnswer>

/** Second half of every money movement (contract §4): call the gateway, then record what it said. */
export interface Movements {
  /**
   * Sends an attempt that has been written, and records the answer if there is one. Never throws: from here on the
   * money may have moved, and what can't be recorded now is asked for later.
   */
  send: (charge: Charge, attempt: Attempt, send: Send) => Promise<Movement>
  /** Asks what became of an attempt whose answer never came, and records it if the gateway knows. */
  resolve: (charge: Charge, attempt: Attempt) => Promise<Movement>
}

interface Parts {
  store: ChargeStore
  ask: AskGateway
  clockSteps: ClockSteps
  /** Called with an outcome that was not recorded. */
  onFault: (error: unknown) => void
}

export function createMovements({ store, ask, clockSteps, onFault }: Parts): Movements {
  return {
    async send(charge, attempt, send) {
      const answer = await ask(charge, send)
      try {
        if (answer.kind !== 'unknown') return await record(charge, attempt, answer)
        await store.leaveOpen(charge, attempt)
      } catch (error) {
        onFault(error)
      }
      return { charge, attempt }
    },
    async resolve(charge, attempt) {
      const answer = await ask(charge, (gateway, signal) =>
        gateway.outcomeOf(toOpenOperation(charge, attempt, signal, clockSteps)),
      )
      if (answer.kind === 'unknown' || answer.kind === 'unreachable') return { charge, attempt }
      return record(charge, attempt, answer)
    },
  }

  async function record(charge: Charge, attempt: Attempt, answer: Answer): Promise<Movement> {
    const outcome = outcomeAfter(attempt, answer.kind)
    const known = { ...attempt, ...factsOf(answer), outcome }
    const status = statusAfter(charge, known, outcome)
    const holdSeconds = answer.kind === 'approved' && status === 'pending' ? answer.holdSeconds : null
    const event = chargeEvent(charge, known, status)
    const recorded = await store.settle(charge, { attempt: known, status, holdSeconds, event })
    if (recorded === null) return readAgain(charge.id, attempt.id)
    const { settledAt, version } = recorded
    const settled: Attempt = { ...known, settledAt }
    const attempts = charge.attempts.map((one) => (one.id === settled.id ? settled : one))
    const moved = { ...charge, status, attempts, openAttemptId: null, version, updatedAt: settledAt }
    return { attempt: settled, charge: moved }
  }

  /** Someone else has recorded it first; what they recorded counts. */
  async function readAgain(chargeId: string, attemptId: string): Promise<Movement> {
    const charge = await store.find(chargeId)
    const attempt = charge?.attempts.find(({ id }) => id === attemptId)
    if (charge === null || attempt === undefined) throw new Error(`attempt ${attemptId} has gone`)
    return { charge, attempt }
  }
}

function factsOf(answer: Answer): Partial<Attempt> {
  if (answer.kind !== 'approved' && answer.kind !== 'declined') return {}
  const { code, description, externalId, externalReference } = answer
  return {
    declineReason: answer.kind === 'declined' ? answer.reason : null,
    gatewayCode: code,
    gatewayDescription: description,
    externalId,
    externalReference,
  }
}

/** An attempt as it is right after it was written. */
export function openAttempt(
  { id, type, reason, reference, amount, userId, sourceIp }: NewAttempt,
  createdAt: Date,
): Attempt {
  return {
    id,
    type,
    reason,
    reference,
    amount,
    userId,
    sourceIp,
    createdAt,
    outcome: 'open',
    declineReason: null,
    gatewayCode: null,
    gatewayDescription: null,
    externalId: null,
    externalReference: null,
    settledAt: null,
  }
}
