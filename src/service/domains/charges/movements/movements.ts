import type { Gateway, GatewayAnswer } from '../../gateways/gateway.ts'
import type { AskGateway } from './ask-gateway.ts'
import type { ClockSteps } from './attempt-age.ts'
import type { Attempt, Charge } from '../charge.ts'
import type { ChargeStore } from '../charge-store.ts'
import type { NewAttempt } from '../statements/movement-values.ts'
import { toOpenOperation } from './gateway-operation.ts'
import { createRecordOutcome } from './record-outcome.ts'
import type { Movement } from './record-outcome.ts'

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
  const record = createRecordOutcome(store)
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
