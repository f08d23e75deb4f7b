import type { FollowUpOperation, Gateway, GatewayAnswer } from '../../gateways/gateway.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import type { Attempt, Charge } from '../charge.ts'
import type { ChargeStore } from '../charge-store.ts'
import type { NewAttempt } from '../statements/movement-values.ts'
import { attemptIdOf } from './attempt-id.ts'
import { openAttempt } from './movements.ts'
import type { Movements } from './movements.ts'
import type { Movement } from './record-outcome.ts'
import { toFollowUpOperation } from './gateway-operation.ts'

export interface FollowUpParts {
  store: ChargeStore
  movements: Movements
  createId: CreateId
}

/**
 * Writes an attempt to capture, cancel or refund and sends it; null when the charge has changed since it was read, and
 * then nothing was written or sent.
 */
export async function followUp(
  { store, movements, createId }: FollowUpParts,
  charge: Charge,
  instruction: Omit<NewAttempt, 'id'>,
): Promise<Movement | null> {
  const { idempotentRequest } = instruction
  const id = idempotentRequest === null ? createId() : attemptIdOf(charge, instruction, idempotentRequest)
  const attempt = { ...instruction, id }
  const written = await store.beginFollowUp(charge, attempt)
  if (written === null) return null
  const open = openAttempt(attempt, written.createdAt)
  const attempts = [...charge.attempts, open]
  const begun: Charge = { ...charge, openAttemptId: open.id, version: written.version, attempts }
  return movements.send(begun, open, (gateway, signal) =>
    operate(gateway, open.type, toFollowUpOperation(charge, open, signal)),
  )
}

function operate(
  gateway: Gateway,
  type: Attempt['type'],
  operation: FollowUpOperation,
): Promise<GatewayAnswer> {
  switch (type) {
    case 'capture':
      return gateway.capture(operation)
    case 'cancel':
      return gateway.cancel(operation)
    case 'refund':
      return gateway.refund(operation)
    case 'sale':
      throw new Error('a sale follows nothing')
  }
}
