import { statusAfter } from './charge.ts'
import type { Attempt, Charge } from './charge.ts'
import type { Movement } from './movements.ts'

/** The charge as it was when an attempt of it had been settled: later ones are taken away again. */
export function movementAsOf(charge: Charge, attempt: Attempt): Movement {
  const last = charge.attempts.findIndex(({ id }) => id === attempt.id)
  let then: Charge = { ...charge, status: 'processing', openAttemptId: null, attempts: [] }
  for (const one of charge.attempts.slice(0, last + 1)) {
    const status = one.outcome === 'open' ? then.status : statusAfter(then, one, one.outcome)
    then = { ...then, status, attempts: [...then.attempts, one], updatedAt: one.settledAt ?? then.updatedAt }
  }
  return { charge: then, attempt }
}
