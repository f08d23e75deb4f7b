import type { FormErrorCode } from '../../contract/page/form-error-code.ts'
import * as v from 'valibot'
import type { Envelope, ErrorDetail } from '../../contract/api/envelope.ts'
import { TokenResource } from '../../contract/api/charges/payment-source-token.ts'
import type { TokeniseBody } from '../../contract/api/charges/payment-source-token.ts'
import type { Browser } from '../browser.ts'
import { askWithRetries } from './retry.ts'
import { askService, codeOf, fault } from './service-request.ts'
import type { Answer, Fault } from './service-request.ts'

/** The card and the form's other fields, as they are sent. */
export type Card = Omit<TokeniseBody, 'type' | 'gateway_id' | 'browser'>

/** The outcome of a request: a one-time token, a refusal of the card, or a fault that the person did not cause. */
export type TokeniseOutcome =
  | { kind: 'token'; token: string }
  | { kind: 'refused'; code: FormErrorCode; details: ErrorDetail[] }
  | Fault

/** Where cards are tokenised. */
interface TokenEndpoint {
  url: string
  /** Headers that authorise the request. */
  credentials: Record<string, string>
  /** Absent: the gateway that belongs to the credentials. */
  gatewayId?: string
}

interface Tokeniser {
  tokenise: (card: Card) => Promise<TokeniseOutcome>
  /** Forgets the card that was last sent: it is not tried again, and the next one has a key of its own. */
  forget: () => void
}

interface TokeniseRequest {
  body: string
  /** Idempotency key: the service answers every request of one key with the same token. */
  key: string
  timeoutMs: number
}

/** In the place of another try with a card that is forgotten. */
const FORGOTTEN = fault('network_error', false)

/**
 * Creates the function that tokenises a card, and the one that forgets it. The first tries up to three times on a bad network. Every try with the same content
 * has the same idempotency key, also when the person presses the button again, so that the service makes one token only.
 */
export function createTokeniser(
  endpoint: TokenEndpoint,
  browser: Pick<Browser, 'createKey' | 'elapsed' | 'facts' | 'online' | 'random' | 'send' | 'wait'>,
): Tokeniser {
  // Once: a device that is turned meanwhile is no other card.
  const facts = browser.facts()
  let pending: { body: string; key: string } | null = null
  const tokenise = async (card: Card) => {
    const body = bodyOf({ ...card, browser: facts }, endpoint)
    const request = pending?.body === body ? pending : { body, key: browser.createKey() }
    pending = request
    const outcome = await askWithRetries(
      (timeoutMs) =>
        pending !== request
          ? Promise.resolve(FORGOTTEN)
          : tokeniseOnce({ ...request, timeoutMs }, endpoint, browser.send),
      browser,
    )
    if (pending !== request) return outcome.kind === 'fault' ? fault('network_error', true) : outcome
    if (outcome.kind !== 'fault') pending = null
    // Browsers are sometimes wrong that there is no network, so this is asked only after a failed try.
    return outcome.kind === 'fault' && outcome.code === 'network_error' && !browser.online()
      ? fault('offline', true)
      : outcome
  }
  return { tokenise, forget: () => (pending = null) }
}

function bodyOf(card: Omit<TokeniseBody, 'type' | 'gateway_id'>, { gatewayId }: TokenEndpoint): string {
  const gateway = gatewayId === undefined ? {} : { gateway_id: gatewayId }
  return JSON.stringify({ type: 'card', ...gateway, ...card } satisfies TokeniseBody)
}

/** A merchant that has no gateway is no fault of the card's. */
function isAboutCard(status: number, code: FormErrorCode | undefined): boolean {
  return (status === 400 || status === 422) && code !== 'gateway_not_found'
}

/** Sends one request for a token. Never rejects. */
export async function tokeniseOnce(
  { body, key, timeoutMs }: TokeniseRequest,
  { url, credentials }: TokenEndpoint,
  send: typeof globalThis.fetch,
): Promise<TokeniseOutcome> {
  const headers = { 'content-type': 'application/json', ...credentials, 'idempotency-key': key }
  const answer = await askService({ method: 'POST', url, headers, body, timeoutMs }, send)
  return answer.kind === 'fault' ? answer : outcomeOf(answer)
}

function outcomeOf({ status, envelope, afterMs }: Answer): TokeniseOutcome {
  if (status === 401 || status === 403) return fault('unauthorized', false)
  if (status === 429) return { ...fault('rate_limited', true), afterMs }
  return envelope === null ? fault('system_error', true) : outcomeIn(envelope, status)
}

function outcomeIn({ error, resource }: Envelope, status: number): TokeniseOutcome {
  const { details = [] } = error ?? {}
  const code = error === null ? undefined : codeOf(error.code)
  if (isAboutCard(status, code)) return { kind: 'refused', code: code ?? 'validation_error', details }
  const token = v.safeParse(TokenResource, resource)
  if (status === 201 && token.success) return { kind: 'token', token: token.output.data }
  // 409: the same request is still being processed, so another try will get its answer.
  return fault(code ?? 'system_error', status >= 500 || status === 409 || error === null)
}
