import { ServiceError } from '../errors.ts'
import type { Repeatable } from './caller.ts'
import { statusAfter } from './charge.ts'
import type { Attempt, Charge } from './charge.ts'
import type { ChargeStore, KnownRequest } from './charge-store.ts'
import { movedMeanwhile } from './decide.ts'
import type { Movement, Movements } from './movements.ts'

/** Carries out what a request asks for, or finds the movement that the same request made before. */
export type OncePerRequest = (
  repeatable: Repeatable | null,
  carryOut: () => Promise<Movement>,
) => Promise<{ movement: Movement; isReplay: boolean }>

interface Parts {
  store: ChargeStore
  movements: Movements
}

/**
 * The same key and request is answered as before; another request under the key is refused; while the first is under
 * way, so is this one; and where the first got no answer, the gateway is asked what became of it (contract §2).
 */
export function createOncePerRequest({ store, movements }: Parts): OncePerRequest {
  return async (repeatable, carryOut) => {
    if (repeatable === null) return { movement: await carryOut(), isReplay: false }
    const known = await store.findByRequest(repeatable.key)
    if (known !== null) return replay(known, repeatable)
    try {
      return { movement: await carryOut(), isReplay: false }
    } catch (error) {
      // The first of two that came at once may have taken the token, or moved the charge, before this one could begin.
      const first = await store.findByRequest(repeatable.key)
      if (first === null) throw error
      return replay(first, repeatable)
    }
  }

  async function replay({ hash, isDue, charge, attempt }: KnownRequest, asked: Repeatable) {
    if (hash !== asked.hash) {
      throw new ServiceError(
        'idempotency_key_reused',
        'This Idempotency-Key was used for another request. Make a new key.',
      )
    }
    if (attempt.outcome !== 'open') return { movement: movementAsOf(charge, attempt), isReplay: true }
    if (!isDue) throw movedMeanwhile()
    const resolved = await movements.resolve(charge, attempt)
    if (resolved.attempt.outcome === 'open') return { movement: resolved, isReplay: false }
    return { movement: movementAsOf(resolved.charge, resolved.attempt), isReplay: true }
  }
}

/** The charge as it was when an attempt of it had been settled: later ones are taken away again. */
function movementAsOf(charge: Charge, attempt: Attempt): Movement {
  const last = charge.attempts.findIndex(({ id }) => id === attempt.id)
  let then: Charge = { ...charge, status: 'processing', openAttemptId: null, attempts: [] }
  for (const one of charge.attempts.slice(0, last + 1)) {
    const status = one.outcome === 'open' ? then.status : statusAfter(then, one, one.outcome)
    then = { ...then, status, attempts: [...then.attempts, one], updatedAt: one.settledAt ?? then.updatedAt }
  }
  return { charge: then, attempt }
}
