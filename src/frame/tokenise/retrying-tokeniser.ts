import { askWithRetries } from './retry.ts'
import type { Clock } from './retry.ts'
import { bodyOf, tokenise } from './tokenise.ts'
import type { Card, TokenDesk, TokeniseOutcome } from './tokenise.ts'

export interface Surroundings extends Clock {
  /** The device's date, in ms since 1970. */
  now: () => number
  send: typeof fetch
  createKey: () => string
  /** Whether the device has a network at all. */
  online: () => boolean
}

/**
 * Returns what sends a card to the service. On a bad network it tries up to three times; every try of the same content bears the same
 * idempotency key, also when the person presses the button again, so that no second token is made.
 */
export function createRetryingTokeniser(
  desk: TokenDesk,
  parts: Omit<Surroundings, 'now'>,
): (card: Card) => Promise<TokeniseOutcome> {
  let open: { body: string; key: string } | null = null
  return async (card) => {
    if (!parts.online()) return { kind: 'fault', code: 'offline', retryable: true }
    const body = bodyOf(card, desk)
    const request = open?.body === body ? open : { body, key: parts.createKey() }
    open = request
    const once = (timeoutMs: number) => tokenise({ ...request, timeoutMs }, desk, parts.send)
    const outcome = await askWithRetries(once, parts)
    if (outcome.kind !== 'fault') open = null
    return outcome
  }
}
