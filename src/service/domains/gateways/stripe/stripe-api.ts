import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import * as v from 'valibot'
import type { Answer, OutboundRequest, SendRequest } from '../../../platform/outbound/http-client.ts'
import { NoAnswer } from '../../../platform/outbound/no-answer.ts'
import { withoutSensitive } from '../../../platform/secrets/secret-in-text.ts'
import type { AccountCredentials } from '../gateway.ts'

/** The version of Stripe's API that requests, answers and notifications are written for. */
export const API_VERSION: Stripe.LatestApiVersion = '2026-10-28.endive'

/** Whether a key is of Stripe's live mode; else it is of its test mode. */
export const isLive = (apiKey: string) => apiKey.includes('_live_')

/** A request to Stripe, without its account. A GET has its parameters in the path. */
export type StripeRequest =
  | { method: 'GET'; path: string }
  | {
      method: 'POST'
      path: string
      params: object
      /** Stripe carries a key out once and answers it the same for a day; null for what it does once anyway. */
      key: string | null
    }
  | { method: 'POST'; path: string; file: FileUpload; key: string | null }

interface FileUpload {
  purpose: string
  name: string
  contentType: string
  content: Buffer
}

/** Why Stripe refused, in its own words. */
export interface StripeFault {
  type: string
  code: string
  /** The issuer's reason, where it was the issuer; else empty. */
  declineCode: string
  message: string
  /** The payment that it is about, as it is now. */
  intent: unknown
}

/**
 * What came back.
 * - `declined`: the card was (402). `refused`: Stripe carries such a request not out, as it is or as the payment is.
 * - `forbidden`: Stripe does not let the account in. `turned_away`: Stripe has no time for it now. Nothing was carried out for either.
 * - `unreachable`: nothing was sent; `proxyCode` is set if the service's proxy let nothing through.
 * - `unknown`: it was sent, and no reliable answer came back. `isReplayed`: the first request under the key ended in an error of
 *   Stripe's, and no further one will be carried out under it.
 */
export type Reply =
  | { kind: 'answered'; body: unknown }
  | { kind: 'declined'; status: number; fault: StripeFault }
  | { kind: 'refused'; status: number; fault: StripeFault }
  | { kind: 'forbidden'; status: number; fault: StripeFault }
  | { kind: 'turned_away' }
  | { kind: 'unreachable'; proxyCode?: string }
  | { kind: 'unknown'; isReplayed: boolean }

/** What a request to Stripe is sent with, of one account. */
export interface StripeApi {
  account: AccountCredentials
  send: SendRequest
  /** Called if Stripe does not let the account in, or does not understand us. */
  onFault: (error: Error) => void
}

/**
 * Sends a request to Stripe. The package `stripe` lends its types alone: its client sends what got no answer a second time by itself, can't
 * be told to stop waiting, and takes answers for what they should be.
 */
export async function sendToStripe(
  { account, send, onFault }: StripeApi,
  request: StripeRequest,
  signal: AbortSignal,
): Promise<Reply> {
  try {
    const reply = readReply(await send({ ...toOutbound(account, request), signal }), request)
    const complaint = complaintOf(account, reply)
    if (complaint !== null) onFault(new Error(complaint))
    return reply
  } catch (error) {
    if (!(error instanceof NoAnswer) || error.wasSent) return { kind: 'unknown', isReplayed: false }
    return { kind: 'unreachable', ...(error.proxy !== null && { proxyCode: error.code }) }
  }
}

function toOutbound(account: AccountCredentials, request: StripeRequest): OutboundRequest {
  const headers = { authorization: `Bearer ${account.api_key}`, 'stripe-version': API_VERSION }
  const url = account.base_url + request.path
  if (request.method === 'GET') return { method: 'GET', url, headers, body: '' }
  const keyed = { ...headers, ...(request.key !== null && { 'idempotency-key': request.key }) }
  if ('file' in request) {
    const { type, body } = multipartOf(request.file)
    return {
      url: uploadUrlOf(account.base_url) + request.path,
      headers: { ...keyed, 'content-type': type },
      body,
    }
  }
  const type = 'application/x-www-form-urlencoded'
  return { url, headers: { ...keyed, 'content-type': type }, body: formOf(request.params) }
}

/** Files have a server of their own. */
const uploadUrlOf = (url: string) => (url === 'https://api.stripe.com' ? 'https://files.stripe.com' : url)

/** A file as RFC 7578 has it: the same bytes each time, as the key of a request stands for its content. */
function multipartOf({ purpose, name, contentType, content }: FileUpload): { type: string; body: Buffer } {
  const boundary = createHash('sha256').update(content).digest('hex')
  const fileName = name.replace(/["\r\n\\]/g, '_')
  const head = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="purpose"',
    '',
    purpose,
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${fileName}"`,
    `Content-Type: ${contentType}`,
    '',
    '',
  ].join('\r\n')
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return { type: `multipart/form-data; boundary=${boundary}`, body }
}

/** Parameters as Stripe's forms have them: `card[number]=…`, `expand[0]=…`; what is undefined is left out. */
export function formOf(params: object): string {
  const form = new URLSearchParams()
  const add = (name: string, value: unknown) => {
    if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) add(`${name}[${key}]`, inner)
    else if (typeof value === 'string') form.append(name, value)
    else if (typeof value === 'number' || typeof value === 'boolean') form.append(name, String(value))
  }
  for (const [name, value] of Object.entries(params)) add(name, value)
  return form.toString()
}

/** What the operator has to correct, in words; null if nothing. */
function complaintOf({ merchant_account: name }: AccountCredentials, reply: Reply): string | null {
  if (reply.kind !== 'forbidden' && reply.kind !== 'refused') return null
  const { status, fault } = reply
  const words = `(HTTP ${status}, ${[fault.code, fault.message].filter((word) => word !== '').join(' ')})`
  if (reply.kind === 'forbidden')
    return `Stripe refuses the credentials of ${name} ${words}: check its secret key and what that key may do`
  return isMalformed(fault) ? `Stripe does not understand a request of ${name} ${words}` : null
}

/** A request that Stripe can't read says nothing about the payment itself. */
export function isMalformed({ type, code }: StripeFault): boolean {
  return type === 'idempotency_error' || code.startsWith('parameter_') || code === 'url_invalid'
}

const Fault = v.object({
  error: v.object({
    type: v.string(),
    code: v.optional(v.string(), ''),
    decline_code: v.optional(v.string(), ''),
    message: v.optional(v.string(), ''),
    param: v.optional(v.string(), ''),
    payment_intent: v.optional(v.unknown()),
  }),
})

const UNKNOWN: Reply = { kind: 'unknown', isReplayed: false }

/** Anything but Stripe's own JSON may come from something in between: then the outcome is unknown. */
function readReply({ status, headers, body: text }: Answer, { path }: StripeRequest): Reply {
  const isOwn = headers['content-type']?.startsWith('application/json') === true
  if (!isOwn) return UNKNOWN
  if (status >= 500) return { kind: 'unknown', isReplayed: headers['idempotent-replayed'] === 'true' }
  const body: unknown = JSON.parse(text)
  if (status === 200) return { kind: 'answered', body }
  const parsed = v.safeParse(Fault, body)
  return parsed.success ? refusedReply(status, parsed.output, path) : UNKNOWN
}

function refusedReply(status: number, parsed: v.InferOutput<typeof Fault>, path: string): Reply {
  const fault = toFault(parsed)
  switch (status) {
    case 401:
    case 403:
      return { kind: 'forbidden', status, fault }
    case 400:
    case 402:
    case 404:
      if (isAboutAccount(parsed, path)) return { kind: 'forbidden', status, fault }
      return { kind: fault.type === 'card_error' ? 'declined' : 'refused', status, fault }
    case 429:
      return { kind: 'turned_away' }
    default:
      return UNKNOWN
  }
}

/**
 * Stripe gives neither code nor field for what an account may not do, such as send card numbers (docs/gateways.md), nor for what can't be
 * done with a dispute any more.
 */
function isAboutAccount(
  { error: { type, code, param } }: v.InferOutput<typeof Fault>,
  path: string,
): boolean {
  const isAboutDispute = /^\/v1\/(?:disputes|files)\b/.test(path)
  return !isAboutDispute && type === 'invalid_request_error' && code === '' && param === ''
}

function toFault({ error }: v.InferOutput<typeof Fault>): StripeFault {
  return {
    type: error.type,
    code: shownWords(error.code),
    declineCode: shownWords(error.decline_code),
    message: shownWords(error.message),
    intent: error.payment_intent,
  }
}

/** Stripe's words as they are shown to the merchant: no card number may come back in them. */
export function shownWords(words: string): string {
  return withoutSensitive(words.replace(/\d[\d -]{10,}\d/g, '…'))
}
