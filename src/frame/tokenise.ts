import * as v from 'valibot'
import { Envelope } from '../contract/envelope.ts'
import type { ErrorDetail } from '../contract/envelope.ts'
import type { FrameSetup } from '../contract/frame-setup.ts'
import { TokenResource } from '../contract/payment-source-token.ts'
import type { TokeniseBody } from '../contract/payment-source-token.ts'

/** The card as the form read it. */
export type Card = Omit<TokeniseBody, 'type' | 'gateway_id' | 'meta'>

/** What came of a request: a one-time token; the card refused; or a fault that is nobody's typing. */
export type TokeniseOutcome =
  | { kind: 'token'; token: string }
  | { kind: 'refused'; code: string; details: ErrorDetail[] }
  | { kind: 'fault'; code: string; retryable: boolean }

type Settings = Extract<FrameSetup, { ready: true }>

const Answer = v.pipe(v.string(), v.parseJson(), Envelope)
const TIME_OUT_MS = 20_000

/** Sends the card to the service for a one-time token (contract §3). The one request of the frame; never rejects. */
export async function tokenise(card: Card, settings: Settings, send: typeof fetch): Promise<TokeniseOutcome> {
  try {
    const response = await send(settings.tokens_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-user-public-key': settings.public_key },
      body: JSON.stringify({ type: 'card', gateway_id: settings.gateway_id, ...card } satisfies TokeniseBody),
      signal: AbortSignal.timeout(TIME_OUT_MS),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
    })
    return outcomeOf(response.status, await response.text())
  } catch (error) {
    const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
    return { kind: 'fault', code: timedOut ? 'timeout' : 'network_error', retryable: true }
  }
}

function outcomeOf(status: number, body: string): TokeniseOutcome {
  const answer = v.safeParse(Answer, body)
  if (status === 401 || status === 403) return { kind: 'fault', code: 'unauthorized', retryable: false }
  if (status === 429) return { kind: 'fault', code: 'rate_limited', retryable: true }
  if (!answer.success) return { kind: 'fault', code: 'system_error', retryable: true }
  const { error, resource } = answer.output
  if (status === 400 || status === 422) return refusal(error)
  const token = v.safeParse(TokenResource, resource)
  if (status === 201 && token.success) return { kind: 'token', token: token.output.data }
  return { kind: 'fault', code: error?.code ?? 'system_error', retryable: status >= 500 || error === null }
}

function refusal(error: Envelope['error']): TokeniseOutcome {
  return { kind: 'refused', code: error?.code ?? 'validation_error', details: error?.details ?? [] }
}
