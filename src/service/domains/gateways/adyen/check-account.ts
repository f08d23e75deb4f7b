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
      case 'refused':
        return { kind: 'refused', message: refusalInWords(reply) }
      case 'unreachable':
        return reply
      case 'unknown':
        return { kind: 'unreachable' }
    }
  }
}

/** Only 401 is about the key: 403 is also what Adyen says of a wrong merchant account. */
function refusalInWords({ status, message }: { status: number; message: string }): string {
  return status === 401
    ? 'Adyen does not let the API key in (HTTP 401).'
    : `Adyen refuses the account (HTTP ${status}): ${message}`
}
