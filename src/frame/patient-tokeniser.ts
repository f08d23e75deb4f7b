import { bodyOf, tokenise } from './tokenise.ts'
import type { Card, ReadySetup, TokeniseOutcome } from './tokenise.ts'

export interface Surroundings {
  send: typeof fetch
  /** The time, in ms since 1970. */
  now: () => number
  wait: (ms: number) => Promise<void>
  /** 0 to 1, for the jitter of pauses. */
  random: () => number
  createKey: () => string
  /** Whether the device has a network at all. */
  online: () => boolean
}

/** All of a submit, tries and pauses, ends within this. */
const LIMIT_MS = 20_000
const ONE_TRY_MS = 8000
const PAUSES_MS = [600, 2000]
const LONGEST_ASKED_MS = 5000

/**
 * Makes the one that sends cards. On a bad network it tries up to three times; every try of the same content bears the same
 * idempotency key, also when the person presses the button again, so that no second token is made.
 */
export function createPatientTokeniser(
  setup: ReadySetup,
  parts: Surroundings,
): (card: Card) => Promise<TokeniseOutcome> {
  let open: { body: string; key: string } | null = null
  return async (card) => {
    if (!parts.online()) return { kind: 'fault', code: 'offline', retryable: true }
    const body = bodyOf(card, setup)
    const request = open?.body === body ? open : { body, key: parts.createKey() }
    open = request
    const outcome = await sendPatiently(request, setup, parts)
    if (outcome.kind !== 'fault') open = null
    return outcome
  }
}

async function sendPatiently(
  request: { body: string; key: string },
  setup: ReadySetup,
  { send, now, wait, random }: Surroundings,
): Promise<TokeniseOutcome> {
  const end = now() + LIMIT_MS
  for (let tries = 0; ; tries += 1) {
    const timeoutMs = Math.min(ONE_TRY_MS, end - now())
    const outcome = await tokenise({ ...request, timeoutMs }, setup, send)
    const pause = pauseAfter(outcome, PAUSES_MS[tries], random)
    if (pause === null || now() + pause >= end) return outcome
    await wait(pause)
  }
}

/** How long to wait before the next try; null if there shall be none. */
function pauseAfter(
  outcome: TokeniseOutcome,
  pause: number | undefined,
  random: () => number,
): number | null {
  if (outcome.kind !== 'fault' || !outcome.retryable || pause === undefined) return null
  const { afterMs } = outcome
  if (afterMs === undefined) return pause * (0.5 + random())
  return afterMs <= LONGEST_ASKED_MS ? afterMs : null
}
