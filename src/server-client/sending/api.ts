import type { Operations } from '../operations.ts'
import type { CheckedOptions } from '../client-options.ts'
import { SvcError } from '../svc-error.ts'
import { createAccessTokens } from './access-tokens.ts'
import { refuseUnknownOptions } from './call-options.ts'
import type { ChangeOptions, ReadOptions } from './call-options.ts'
import { keepEtag } from './etags.ts'
import { List } from './list.ts'
import type { Runtime } from './runtime.ts'
import { operations } from '../operations.ts'
import type { HttpRequest } from './send-once.ts'
import { readAnswer } from './read-answer.ts'
import type { Answer } from './read-answer.ts'
import type { RetryLimits } from './retry-limits.ts'
import { sendOnce } from './send-once.ts'

type AnyId = keyof Operations
type Answers<Id extends AnyId> = Operations[Id]['answers']
/** The `resource` of a good answer. */
type Resource<Id extends AnyId> = Answers<Id>[keyof Answers<Id>] extends { resource: infer Type }
  ? Type
  : never
type Answered<Id extends AnyId> = Resource<Id> extends { data: infer Type } ? Type : never
/** What a page of a list has several of. */
type Item<Id extends AnyId> = Answered<Id> extends readonly (infer Type)[] ? Type : never

type ListId = { [Id in AnyId]: Resource<Id> extends { next: unknown } ? Id : never }[AnyId]
type CallId = Exclude<AnyId, ListId>
type Part<Id extends AnyId, Name extends 'path' | 'query' | 'body'> = NonNullable<
  Operations[Id]['request'][Name]
>

/** What goes into a call of an operation. */
interface InputOf<Id extends AnyId> extends Input {
  params?: Part<Id, 'path'>
  query?: Part<Id, 'query'>
  body?: Part<Id, 'body'>
}

/** How the methods call the service: by operation id. */
export interface Api {
  call: <Id extends CallId>(id: Id, input: InputOf<Id>, options?: ChangeOptions) => Promise<Answered<Id>>
  list: <Id extends ListId>(id: Id, input: InputOf<Id>, options?: ReadOptions) => List<Item<Id>>
}

interface Parts {
  options: CheckedOptions
  limits: RetryLimits
  runtime: Runtime
}

export function createApi({ options, limits, runtime }: Parts): Api {
  const { baseUrl, secretKey, oauth } = options
  const withAccessToken = oauth === null ? null : createAccessTokens(oauth, `${baseUrl}/oauth/token`, runtime)

  async function send<Data>(id: AnyId, input: Input, given: ChangeOptions): Promise<Answer<Data>> {
    refuseUnknownOptions(given)
    const { key, idempotencyKey, ...request } = preparedRequest(id, input, { ...given, baseUrl, runtime })
    const sendBy = async (credential: Record<string, string>, signal: AbortSignal) => {
      const headers = { ...request.headers, ...credential }
      const { response, text } = await sendOnce({ ...request, headers }, runtime, signal)
      return readAnswer<Data>(response, text)
    }
    const sendByKey = (signal: AbortSignal) =>
      sendBy({ 'x-user-secret-key': needed(secretKey, 'secretKey') }, signal)
    const sendByToken = (signal: AbortSignal) =>
      needed(withAccessToken, 'oauth')(
        (token) => sendBy({ authorization: `Bearer ${token}` }, signal),
        signal,
      )
    try {
      return await withRetries(key === 'secret' ? sendByKey : sendByToken, {
        limits,
        runtime,
        signal: given.signal,
      })
    } catch (error) {
      // An earlier try may have been carried out, however the last one failed: so the error carries the key.
      throw error instanceof SvcError ? error.under(idempotencyKey) : error
    }
  }

  return {
    async call(id, input, given = {}) {
      const { data, etag } = await send<Answered<typeof id>>(id, input, given)
      keepEtag(data, etag)
      return data
    },
    list: (id, input, given = {}) =>
      new List(async (cursor) => {
        const query = cursor === undefined ? input.query : { ...input.query, cursor }
        const parts = query === undefined ? input : { ...input, query }
        const { data, next } = await send<Item<typeof id>[]>(id, parts, given)
        return { data, next }
      }),
  }
}

function needed<T>(value: T | null, option: string): T {
  if (value === null) throw new TypeError(`This call needs ${option}: give it to new SvcClient({ … }).`)
  return value
}

/** What goes into a call. */
interface Input {
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
function preparedRequest(id: keyof typeof operations, input: Input, given: Given): PreparedRequest {
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

/** A query with what is given; what is undefined is left out. `{ metadata: { order_id: 'A1' } }` is `metadata[order_id]=A1`. */
function queryOf(query: object = {}): string {
  const given = Object.entries(query).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value !== 'object' || value === null) return [[name, value] as const]
    return Object.entries(value).map(([key, inner]: [string, unknown]) => [`${name}[${key}]`, inner] as const)
  })
  const said = given.filter(([, value]) => value !== undefined)
  if (said.length === 0) return ''
  return `?${new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString()}`
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

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8_000

interface Retrying {
  limits: RetryLimits
  runtime: Runtime
  /** The caller's signal: it ends the tries and the waits between them. */
  signal: AbortSignal | undefined
}

/**
 * Carries out a try, again after a failure that is `retryable`. Throws the last failure once the tries or the time are used up;
 * where the next try could not begin in time, at once.
 */
async function withRetries<T>(
  carryOut: (signal: AbortSignal) => Promise<T>,
  { limits, runtime, signal }: Retrying,
): Promise<T> {
  const end = runtime.now() + limits.deadlineMs
  for (let tries = 1; ; tries += 1) {
    try {
      return await carryOut(signalOfTry(Math.min(limits.tryTimeoutMs, end - runtime.now()), signal))
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof SvcError && error.retryable) || tries >= limits.tries) throw error
      const delay = waitBeforeNextTry(tries, error.retryAfter, runtime.random)
      if (runtime.now() + delay >= end) throw error
      await runtime.wait(delay, signal)
    }
  }
}

function signalOfTry(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)))
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout])
}

/**
 * ms: twice as long after each try, of which a random half is left out so that many callers don't come back at once. Never
 * shorter than what the service asks for (`retryAfter`, in seconds).
 */
export function waitBeforeNextTry(tries: number, retryAfter: number | null, random: () => number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1))
  const moved = longest * (0.5 + random() / 2)
  return retryAfter === null ? moved : retryAfter * 1000 + moved
}
