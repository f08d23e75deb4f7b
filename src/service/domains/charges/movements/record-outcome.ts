import type { GatewayAnswer } from '../../gateways/gateway.ts'
import { outcomeAfter, statusAfter } from '../charge.ts'
import type { Attempt, Charge } from '../charge.ts'
import { chargeEvent } from '../charge-event.ts'
import type { ChargeStore } from '../charge-store.ts'

/** How a movement ended: the charge as it is now, and the attempt, still `open` when no answer came. */
export interface Movement {
  charge: Charge
  attempt: Attempt
}

/** What is known of an attempt in the end. */
export type FinalAnswer = Exclude<GatewayAnswer, { kind: 'unknown' }> | { kind: 'not_received' }

/**
 * Records what became of an attempt that has no outcome yet, with its event, and answers with the charge as it is then. Where
 * somebody else has recorded an outcome first, that one stands and is answered (`isRecorded` is false). `enteredBy`: the
 * operator who entered the outcome, for the audit log; null where the gateway gave it.
 */
export type RecordOutcome = (
  charge: Charge,
  attempt: Attempt,
  answer: FinalAnswer,
  enteredBy?: string | null,
) => Promise<Movement & { isRecorded: boolean }>

export function createRecordOutcome(store: Pick<ChargeStore, 'find' | 'settle'>): RecordOutcome {
  return async (charge, attempt, answer, enteredBy = null) => {
    const outcome = outcomeAfter(attempt, answer.kind)
    const known = { ...attempt, ...factsOf(answer), outcome }
    const status = statusAfter(charge, known, outcome)
    const holdSeconds = answer.kind === 'approved' && status === 'pending' ? answer.holdSeconds : null
    const event = chargeEvent(charge, known, status)
    const facts = enteredBy === null ? event.facts : { ...event.facts, entered_by: enteredBy }
    const settlement = { attempt: known, status, holdSeconds, event: { ...event, facts } }
    const recorded = await store.settle(charge, settlement)
    if (recorded === null) return { ...(await readAgain(charge.id, attempt.id)), isRecorded: false }
    const { settledAt, version } = recorded
    const settled: Attempt = { ...known, settledAt }
    const attempts = charge.attempts.map((one) => (one.id === settled.id ? settled : one))
    const moved = { ...charge, status, attempts, openAttemptId: null, version, updatedAt: settledAt }
    return { attempt: settled, charge: moved, isRecorded: true }
  }

  async function readAgain(chargeId: string, attemptId: string): Promise<Movement> {
    const charge = await store.find(chargeId)
    const attempt = charge?.attempts.find(({ id }) => id === attemptId)
    if (charge === null || attempt === undefined) throw new Error(`attempt ${attemptId} has gone`)
    return { charge, attempt }
  }
}

function factsOf(answer: FinalAnswer): Partial<Attempt> {
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
