import * as v from 'valibot'
import type { Envelope, ErrorDetail } from '../../contract/api/envelope.ts'
import type { TokeniseBody } from '../../contract/api/payment-source-token.ts'
import { TokenResource } from '../../contract/api/payment-source-token.ts'
import { askService, fault } from './service-request.ts'
import type { Answer, Fault } from './service-request.ts'

/** The card and what else the form holds, as it is sent. */
export type Card = Omit<TokeniseBody, 'type' | 'gateway_id'>

/** What came of a request: a one-time token; the card refused; or a fault that is nobody's typing. */
export type TokeniseOutcome =
  { kind: 'token'; token: string } | { kind: 'refused'; code: string; details: ErrorDetail[] } | Fault

/** Where cards become tokens, and by whose right. */
export interface TokenDesk {
  url: string
  /** The headers that say it. */
  credentials: Record<string, string>
  /** Without one: the gateway that the credentials are for. */
  gatewayId?: string
}

interface Request {
  body: string
  /** The service answers requests of one key with one token. */
  key: string
  timeoutMs: number
}

/** The body of a tokenise request. */
export function bodyOf(card: Card, { gatewayId }: TokenDesk): string {
  const gateway = gatewayId === undefined ? {} : { gateway_id: gatewayId }
  return JSON.stringify({ type: 'card', ...gateway, ...card } satisfies TokeniseBody)
}

/** Asks the service once for a one-time token; never rejects. */
export async function tokenise(
  { body, key, timeoutMs }: Request,
  { url, credentials }: TokenDesk,
  send: typeof fetch,
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
  const { code, details = [] } = error ?? {}
  if (status === 400 || status === 422) return { kind: 'refused', code: code ?? 'validation_error', details }
  const token = v.safeParse(TokenResource, resource)
  if (status === 201 && token.success) return { kind: 'token', token: token.output.data }
  // 409: the same request is still under way, so its answer is near.
  return fault(code ?? 'system_error', status >= 500 || status === 409 || error === null)
}
