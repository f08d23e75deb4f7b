import { operations } from '../operations.ts'
import type { ChangeOptions } from './call-options.ts'
import type { Runtime } from './runtime.ts'
import type { HttpRequest } from './send-once.ts'

/** What goes into a call. */
export interface Input {
  params?: object
  query?: object
  body?: object
}

/** A request without its credential. */
interface PreparedRequest extends HttpRequest {
  /** The credential that it needs. */
  key: 'secret' | 'oauth'
  /** Null where it only reads. */
  idempotencyKey: string | null
}

interface Given extends ChangeOptions {
  baseUrl: string
  runtime: Pick<Runtime, 'createKey'>
}

/** The request of an operation. Throws a `TypeError` for what would become another request than was meant. */
export function preparedRequest(id: keyof typeof operations, input: Input, given: Given): PreparedRequest {
  const { method, path, key, takesKey } = operations[id]
  const { baseUrl, runtime, ifMatch, requestId } = given
  const { idempotencyKey: ownKey = runtime.createKey() } = given
  const idempotencyKey = takesKey ? checkedIdempotencyKey(ownKey) : null
  const body = bodyOf(input.body)
  return {
    key,
    idempotencyKey,
    method,
    url: `${baseUrl}${pathOf(path, input.params)}${queryOf(input.query)}`,
    headers: {
      accept: 'application/json',
      'user-agent': `svc-server/${__SVC_VERSION__} node/${process.versions.node}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
      ...(ifMatch !== undefined && { 'if-match': checkedHeader('ifMatch', ifMatch) }),
      ...(requestId !== undefined && { 'x-request-id': checkedHeader('requestId', requestId) }),
    },
    body,
  }
}

/** The path of an operation with its parameters: `/v1/charges/{id}` and `{ id }`. Throws a `TypeError` for one that is missing. */
function pathOf(path: string, params: object = {}): string {
  const given: Readonly<Record<string, unknown>> = { ...params }
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = given[name]
    // An empty id, or a dot, would make it another address: the list of all.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError(`${name} must be a text, and no empty one.`)
    return encodeURIComponent(value)
  })
}

/** A query with what is given; what is undefined is left out. */
function queryOf(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`
}

/**
 * Fields that must not be dropped silently: everything would be captured or refunded, or a hold would become a sale (contract §2).
 */
export const NEVER_UNDEFINED = ['amount', 'capture'] as const

/** A body in JSON. Throws a `TypeError` where an amount is there but undefined, which JSON would leave out. */
function bodyOf(body: object | undefined): string | undefined {
  if (body === undefined) return undefined
  const fields = new Map<string, unknown>(Object.entries(body))
  for (const name of NEVER_UNDEFINED) {
    if (fields.has(name) && fields.get(name) === undefined)
      throw new TypeError(
        `${name} is undefined. Leave it out, or give it a value: without it ${CONSEQUENCES[name]}.`,
      )
  }
  return JSON.stringify(body)
}

const CONSEQUENCES = {
  amount: 'the whole amount would be moved',
  capture: 'the money would be taken at once',
} as const

/** As the service takes it. Its text is not repeated: a merchant may use as a key what may be logged nowhere. */
function checkedIdempotencyKey(key: unknown): string {
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters, without spaces.')
}

/** An option that becomes a header. What no header can hold would end as `no_answer`, and be tried again. */
function checkedHeader(option: string, value: unknown): string {
  if (typeof value === 'string' && /^[\x20-\x7e]+$/.test(value)) return value
  throw new TypeError(`${option} must be a text of ASCII characters, without line breaks.`)
}
