import { refuseOtherRequest } from '../../../platform/idempotency.ts'
import type { IdempotentRequest } from '../../../platform/idempotency.ts'
import type { Charge } from '../charge.ts'
import type { IsClockSteady } from '../../../platform/jobs/when-steady.ts'
import type { ChargeStore, KnownRequest } from '../charge-store.ts'
import { movedMeanwhile } from '../decide.ts'
import { movementAtAttempt } from './charge-at-attempt.ts'
import type { Movements } from './movements.ts'
import type { Movement } from './record-outcome.ts'

/** Carries out what a request asks for, or finds the movement that the same request made before. */
export type OncePerRequest = (
  idempotentRequest: IdempotentRequest | null,
  perform: () => Promise<Movement>,
) => Promise<{ movement: Movement; isReplay: boolean }>

interface Parts {
  store: ChargeStore
  movements: Movements
  isClockSteady: IsClockSteady
}

/**
 * The same key and request is answered as before; another request under the key is refused; while the first is under
 * way, so is this one; and where the first got no answer, the gateway is asked what became of it (contract §2).
 */
export function createOncePerRequest({ store, movements, isClockSteady }: Parts): OncePerRequest {
  return async (idempotentRequest, perform) => {
    if (idempotentRequest === null) return { movement: await perform(), isReplay: false }
    const known = await store.findByRequest(idempotentRequest.key)
    if (known !== null) return replay(known, idempotentRequest)
    try {
      return { movement: await perform(), isReplay: false }
    } catch (error) {
      // The first of two that came at once may have taken the token, or moved the charge, before this one could begin.
      const first = await store.findByRequest(idempotentRequest.key)
      if (first === null) throw error
      return replay(first, idempotentRequest)
    }
  }

  async function replay({ hash, isDue, charge, attempt }: KnownRequest, asked: IdempotentRequest) {
    refuseOtherRequest(hash, asked)
    if (attempt.outcome !== 'open') return { movement: movementAtAttempt(charge, attempt), isReplay: true }
    if (!isDue || !(await isClockSteady()) || !(await take(charge, attempt.id))) throw movedMeanwhile()
    const resolved = await movements.resolve(charge, attempt)
    if (resolved.attempt.outcome === 'open') return { movement: resolved, isReplay: false }
    return { movement: movementAtAttempt(resolved.charge, resolved.attempt), isReplay: true }
  }

  /**
   * Takes the attempt, to ask for it; resolves with whether it could: another may be asking, or an answer to the first be just about to be
   * recorded.
   */
  async function take({ merchantId, gatewayId }: Charge, attemptId: string): Promise<boolean> {
    const task = { id: attemptId, merchantId, targetId: gatewayId }
    return (await store.takeAttempts([task])).length > 0
  }
}
