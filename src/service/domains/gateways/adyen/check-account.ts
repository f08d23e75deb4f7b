import type { GatewayCheck } from '../gateway.ts'
import type { Send } from './checkout-api.ts'

interface Parts {
  send: Send
  createKey: () => string
}

/** Asks which payment methods the account takes: Adyen answers only a valid key of that account. */
export function createCheckAccount({
  send,
  createKey,
}: Parts): (signal: AbortSignal) => Promise<GatewayCheck> {
  return async (signal) => {
    const reply = await send({ path: '/paymentMethods', body: {} }, createKey(), signal)
    switch (reply.kind) {
      case 'answered':
        return { kind: 'works' }
      case 'forbidden':
        return { kind: 'refused', message: `Adyen does not let the API key in (HTTP ${reply.status}).` }
      case 'refused':
        return { kind: 'refused', message: `Adyen refuses the account: ${reply.message}` }
      case 'unreachable':
      case 'unknown':
        return { kind: 'unreachable' }
    }
  }
}
