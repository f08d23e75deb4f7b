import type { Charge } from '../operations.ts'
import { SvcError } from '../svc-error.ts'
import type { ErrorDetail } from '../svc-error.ts'

/** A good answer. `next`: the cursor of the next page of a list. */
export interface Answer<Data> {
  data: Data
  next: string | null
  etag: string | null
}

/**
 * The envelope of every answer (contract §2), in which `data` is what the description of the API says. Nothing else in it is
 * looked at: a later version of the service may answer more.
 */
interface Envelope<Data> {
  error: { code: string; message: string; details?: ErrorDetail[] } | null
  resource: { data: Data; next?: string | null }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isEnvelope<Data>(body: unknown): body is Envelope<Data> {
  if (!isObject(body) || !isObject(body['resource']) || !('data' in body['resource'])) return false
  const { error } = body
  return error === null || (isObject(error) && typeof error['code'] === 'string')
}

/** Data of a good answer; throws an `SvcError` for any other. */
export function readAnswer<Data>(response: Response, text: string): Answer<Data> {
  const body = jsonOf(text)
  if (!isEnvelope<Data>(body)) throw unreadable(response)
  if (body.error !== null) throw refused(response, body)
  return { data: body.resource.data, next: body.resource.next ?? null, etag: response.headers.get('etag') }
}

/** A value of JSON; undefined where the text is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refused(response: Response, { error, resource }: Envelope<unknown>): SvcError {
  const { code = '', message = '', details = [] } = error ?? {}
  const retryAfter = retryAfterOf(response)
  return new SvcError({
    code,
    message,
    details,
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfter,
    retryable: isWorthAnotherTry(response.status, retryAfter),
    charge: isCharge(resource.data) ? resource.data : null,
  })
}

/**
 * Whether the same request, under the same key, is worth sending again. The service sends `Retry-After` with a 409, 429 or 503
 * where it is, and none with a final answer. After a 500 the outcome is unknown, and the key keeps the request from being carried
 * out twice.
 */
function isWorthAnotherTry(status: number, retryAfter: number | null): boolean {
  return status === 500 || ([409, 429, 503].includes(status) && retryAfter !== null)
}

/** After an error `data` is null or the charge that failed (contract §2). */
function isCharge(data: unknown): data is Charge {
  return isObject(data) && Array.isArray(data['transactions'])
}

/** A proxy answered in place of the service, or the base URL leads elsewhere. */
function unreadable(response: Response): SvcError {
  const { status } = response
  const isRedirect = status >= 300 && status < 400
  const words = isRedirect
    ? 'a redirect, which is not followed, as it would take the key elsewhere'
    : 'no answer of the service'
  return new SvcError({
    code: 'unreadable_answer',
    message: `${response.url.replace(/\?.*/, '')} gave ${words} (HTTP ${String(status)}). Check baseUrl, and what stands in between.`,
    status,
    requestId: response.headers.get('x-request-id'),
    retryAfter: retryAfterOf(response),
    retryable: status === 408 || status === 429 || status >= 500,
  })
}

/** In seconds; null where the header is missing or not a number of seconds. Proxies may send a date. */
function retryAfterOf({ headers }: Response): number | null {
  const given = headers.get('retry-after')
  if (given === null) return null
  if (/^\d{1,9}$/.test(given)) return Number(given)
  const seconds = (Date.parse(given) - Date.parse(headers.get('date') ?? '')) / 1000
  return seconds >= 0 ? seconds : null
}
