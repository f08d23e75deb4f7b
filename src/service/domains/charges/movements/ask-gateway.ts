import type { Gateway } from '../../gateways/gateway.ts'
import { inTime } from '../../../platform/in-time.ts'
import type { Bulkhead } from '../../../platform/jobs/bulkhead.ts'
import type { Charge } from '../charge.ts'

/**
 * Asks the gateway of a charge for something and waits for its answer, but not for ever. Without the gateway, or a slot
 * for the call, nothing is sent: `unreachable`. One that does not answer, or breaks its promise and throws, may have been sent
 * something: `unknown`.
 */
export type AskGateway = <Answer extends { kind: string }>(
  charge: Charge,
  send: (gateway: Gateway, signal: AbortSignal) => Promise<Answer>,
) => Promise<Answer | { kind: 'unknown' } | { kind: 'unreachable' }>

interface Parts {
  /** The adapter of the gateway that a charge is at; rejects when it can't be used now. */
  adapterOf: (charge: Charge) => Promise<Gateway>
  /** How long a gateway's answer is waited for, in ms. */
  timeoutMs: number
  /** Slots for calls to each gateway account. */
  bulkhead: Pick<Bulkhead, 'enter'>
  /** Called with a gateway's failure that its adapter did not foresee. */
  onFault: (error: unknown) => void
}

export function createAskGateway({ adapterOf, timeoutMs, bulkhead, onFault }: Parts): AskGateway {
  return async (charge, send) => {
    const leave = bulkhead.enter(charge.gatewayId)
    if (leave === null) return { kind: 'unreachable' }
    let gateway: Gateway | undefined
    try {
      const found = (gateway = await adapterOf(charge))
      return await answerInTime(timeoutMs, (signal) => send(found, signal))
    } catch (error) {
      onFault(error)
      return { kind: gateway === undefined ? 'unreachable' : 'unknown' }
    } finally {
      leave()
    }
  }
}

/** How long an adapter may still answer after its `signal` was aborted. */
const LAST_WORD_MS = 2000

/** Aborts `signal` after `timeoutMs`. An adapter that does not answer then either has said nothing: `unknown`. */
async function answerInTime<Answer>(
  timeoutMs: number,
  send: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | { kind: 'unknown' }> {
  const controller = new AbortController()
  const over = setTimeout(() => controller.abort(), timeoutMs)
  try {
    return await inTime(
      send(controller.signal),
      timeoutMs + LAST_WORD_MS,
      () => ({ kind: 'unknown' }) as const,
    )
  } finally {
    clearTimeout(over)
  }
}
