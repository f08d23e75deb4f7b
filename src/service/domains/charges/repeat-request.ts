import { ServiceError } from '../../platform/errors.ts'
import type { Repeatable } from './caller.ts'
import type { ChargeStore, KnownRequest } from './charge-store.ts'
import { movedMeanwhile } from './decide.ts'
import { movementAsOf } from './movement-as-of.ts'
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
