import * as v from 'valibot'
import type { Answer, SendRequest } from '../../../platform/outbound/http-client.ts'
import { NoAnswer } from '../../../platform/outbound/no-answer.ts'
import { withoutSensitive } from '../../../platform/secrets/secret-in-text.ts'
import type { AccountCredentials } from '../gateway.ts'

/** A request to Adyen, without its account. */
export interface AdyenRequest {
  path: string
  body: object
  /** Of requests that Adyen takes without the merchant account's name: the key says it. */
  isWithoutAccount?: boolean
}

/**
 * What came back. `unreachable`: nothing was sent; `proxyCode` is set if the service's proxy let nothing through. `unknown`: it was sent, and
 * no reliable answer came back.
 */
export type Reply =
  | { kind: 'answered'; status: number; body: unknown }
  | { kind: 'refused'; status: number; code: string; message: string }
  | { kind: 'forbidden'; status: number; code: string; message: string }
  | { kind: 'unreachable'; proxyCode?: string }
  | { kind: 'unknown' }

export type SettledReply = Exclude<Reply, { kind: 'unknown' | 'unreachable' | 'forbidden' }>

/** What a request to Adyen is sent with, of one account. */
export interface AdyenApi {
  account: AccountCredentials
  sendRequest: SendRequest
  /** Called if Adyen does not let the account in, or does not understand us. */
  onFault: (error: Error) => void
}

const ServiceFault = v.object({
  errorCode: v.optional(v.string(), ''),
  message: v.optional(v.string(), ''),
})

/** Another request under the same key is still under way; its outcome is not known yet. */
const IN_PROGRESS = '704'

/** Sends a request to Adyen's Checkout API under a key: however often, Adyen carries it out once and answers it the same. */
export function sendToAdyen(
  api: AdyenApi,
  { path, body: content, isWithoutAccount = false }: AdyenRequest,
  key: string,
  signal: AbortSignal,
): Promise<Reply> {
  const { base_url: url, merchant_account: merchantAccount } = api.account
  const body = isWithoutAccount ? content : { ...content, merchantAccount }
  return exchangeWithAdyen(api, { url: url + path, body, headers: { 'idempotency-key': key } }, signal)
}

/**
 * Sends a request to one of Adyen's APIs, by the account's key, and reads the answer; never rejects. Redirects are not followed: the key
 * and the card go where the operator said.
 */
export async function exchangeWithAdyen(
  { account, sendRequest, onFault }: AdyenApi,
  { url, body, headers = {} }: { url: string; body: object; headers?: Record<string, string> },
  signal: AbortSignal,
): Promise<Reply> {
  try {
    const answer = await sendRequest({
      url,
      headers: { 'x-api-key': account.api_key, ...headers },
      body: JSON.stringify(body),
      signal,
    })
    const reply = readReply(answer)
    const complaint = complaintOf(account, reply)
    if (complaint !== null) onFault(new Error(complaint))
    return reply
  } catch (error) {
    if (!(error instanceof NoAnswer) || error.wasSent) return { kind: 'unknown' }
    return { kind: 'unreachable', ...(error.proxy !== null && { proxyCode: error.code }) }
  }
}

/** What the operator has to correct, in words; null if nothing. */
function complaintOf({ merchant_account: name }: AccountCredentials, reply: Reply): string | null {
  if (reply.kind !== 'forbidden' && reply.kind !== 'refused') return null
  const { status, code, message } = reply
  const words = `(HTTP ${status}, ${code} ${message})`
  if (reply.kind === 'forbidden')
    return `Adyen refuses the credentials of ${name} ${words}: check its API key, roles and merchant account`
  return isMalformed(reply) ? `Adyen does not understand a request of ${name} ${words}` : null
}

/** Malformed (HTTP 400) says nothing about the payment itself. */
const isMalformed = (reply: Reply) => reply.kind === 'refused' && reply.status === 400

/** Whether Adyen has answered a capture, cancel or refund by what it knows of the payment. */
export function isAboutPayment(reply: Reply): reply is SettledReply {
  return (reply.kind === 'answered' || reply.kind === 'refused') && !isMalformed(reply)
}

/** Anything but Adyen's own JSON may come from something in between: then the outcome is unknown. */
function readReply({ status, headers, body: text }: Answer): Reply {
  const isOwn = headers['content-type']?.startsWith('application/json') === true
  const mayBeRetried = headers['transient-error'] === 'true'
  if (!isOwn || mayBeRetried || status >= 500) return { kind: 'unknown' }
  const body: unknown = JSON.parse(text)
  if (status === 200 || status === 201) return { kind: 'answered', status, body }
  const { errorCode: code, message: words } = v.parse(ServiceFault, body)
  const message = shownWords(words)
  if (status === 401 || status === 403) return { kind: 'forbidden', status, code, message }
  const isRefusal = (status === 400 || status === 422) && code !== IN_PROGRESS
  return isRefusal ? { kind: 'refused', status, code, message } : { kind: 'unknown' }
}

/** Adyen's words as they are shown to the merchant: no card number may come back in them. */
export function shownWords(message: string): string {
  return withoutSensitive(message.replace(/\d[\d -]{10,}\d/g, '…'))
}
