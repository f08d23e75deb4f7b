import type { Gateway } from '../../gateways/gateway.ts'
import { inTime } from '../../../platform/in-time.ts'
import type { Bulkhead } from '../../../platform/concurrency/fairness.ts'
import type { Charge } from '../charge.ts'

/**
 * Asks the gateway of a charge for something and waits for its answer, but not for ever. Without a slot for the call, or an
 * adapter in time, nothing is sent, also not later: `unreachable`. A gateway that does not answer, or breaks its promise and
 * throws, may have been sent something: `unknown`.
 */
export type AskGateway = <Answer extends { kind: string }>(
  charge: Charge,
  send: (gateway: Gateway, signal: AbortSignal) => Promise<Answer>,
) => Promise<Answer | { kind: 'unknown' } | { kind: 'unreachable' }>

interface Parts {
  /** The adapter of the gateway that a charge is at; rejects when it can't be used now. */
  adapterOf: (charge: Charge) => Promise<Gateway>
  /** How long the adapter and its answer are waited for together, in ms, before it gets its `signal`. */
  timeoutMs: number
  /** Slots for calls to each gateway account. */
  bulkhead: Pick<Bulkhead, 'enter'>
  /** Called with a gateway's failure that its adapter did not foresee. */
  onFault: (error: unknown) => void
}

/** How long an adapter may still answer after its `signal` was aborted. */
const GRACE_MS = 2000

export function createAskGateway({ adapterOf, timeoutMs, bulkhead, onFault }: Parts): AskGateway {
  return async (charge, send) => {
    const leave = bulkhead.enter(charge.gatewayId)
    if (leave === null) return { kind: 'unreachable' }
    const over = new AbortController()
    const call = { isSent: false }
    const ask = async () => {
      const gateway = await adapterOf(charge)
      over.signal.throwIfAborted()
      call.isSent = true
      return send(gateway, over.signal)
    }
    const answer = ask()
    const endWait = () => {
      over.abort()
      if (call.isSent) return inTime(answer, GRACE_MS, () => ({ kind: 'unknown' }) as const)
      throw new Error(`what gateway account ${charge.gatewayId} is asked by was not there in time`)
    }
    try {
      return await inTime(answer, timeoutMs, endWait)
    } catch (error) {
      onFault(error)
      return { kind: call.isSent ? 'unknown' : 'unreachable' }
    } finally {
      leave()
    }
  }
}
