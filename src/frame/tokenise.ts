import * as v from 'valibot'
import { Envelope } from '../contract/envelope.ts'
import type { ErrorDetail } from '../contract/envelope.ts'
import type { KeySetup } from '../contract/frame-setup.ts'
import type { TokeniseBody } from '../contract/payment-source-token.ts'
import { TokenResource } from '../contract/token-resource.ts'

/** The card and what else the form holds, as it is sent. */
export type Card = Omit<TokeniseBody, 'type' | 'gateway_id'>

/** What came of a request: a one-time token; the card refused; or a fault that is nobody's typing. */
export type TokeniseOutcome =
  { kind: 'token'; token: string } | { kind: 'refused'; code: string; details: ErrorDetail[] } | Fault

/** A fault that may pass can say after how many milliseconds to try again. */
export interface Fault {
  kind: 'fault'
  code: string
  retryable: boolean
  afterMs?: number
}

export type ReadySetup = Extract<KeySetup, { ready: true }>

interface Request {
  body: string
  /** The service answers requests of one key with one token. */
  key: string
  timeoutMs: number
}

/** The body of a tokenise request (contract §3). */
export function bodyOf(card: Card, { gateway_id }: ReadySetup): string {
  return JSON.stringify({ type: 'card', gateway_id, ...card } satisfies TokeniseBody)
}

/** Asks the service once for a one-time token; never rejects. */
export async function tokenise(
  { body, key, timeoutMs }: Request,
  setup: ReadySetup,
  send: typeof fetch,
): Promise<TokeniseOutcome> {
  try {
    const response = await send(setup.tokens_url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-user-public-key': setup.public_key,
        'idempotency-key': key,
      },
      body,
      signal: AbortSignal.timeout(timeoutMs),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
    })
    return outcomeOf(response, await response.text())
  } catch (error) {
    const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
    return fault(timedOut ? 'timeout' : 'network_error', true)
  }
}

function outcomeOf({ status, headers }: Response, body: string): TokeniseOutcome {
  if (status === 401 || status === 403) return fault('unauthorized', false)
  if (status === 429) {
    return { ...fault('rate_limited', true), afterMs: Number(headers.get('retry-after') ?? NaN) * 1000 }
  }
  const answer = envelopeIn(body)
  return answer === null ? fault('system_error', true) : outcomeIn(answer, status)
}

function outcomeIn({ error, resource }: Envelope, status: number): TokeniseOutcome {
  const { code, details = [] } = error ?? {}
  if (status === 400 || status === 422) return { kind: 'refused', code: code ?? 'validation_error', details }
  const token = v.safeParse(TokenResource, resource)
  if (status === 201 && token.success) return { kind: 'token', token: token.output.data }
  // 409: the same request is still under way, so its answer is near.
  return fault(code ?? 'system_error', status >= 500 || status === 409 || error === null)
}

function envelopeIn(body: string): Envelope | null {
  try {
    const { success, output } = v.safeParse(Envelope, JSON.parse(body))
    return success ? output : null
  } catch {
    return null
  }
}

function fault(code: string, retryable: boolean): Fault {
  return { kind: 'fault', code, retryable }
}
