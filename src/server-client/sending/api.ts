import { operations } from '../described-api.ts'
import type { Operations } from '../described-api.ts'
import type { CheckedOptions } from '../client-options.ts'
import { createAccessTokens } from './access-tokens.ts'
import { keepEtag } from './etags.ts'
import { List } from './list.ts'
import type { Machine } from './machine.ts'
import { readAnswer } from './read-answer.ts'
import type { Answer } from './read-answer.ts'
import { withRetries } from './retries.ts'
import type { RetryLimits } from './retries.ts'
import { bodyOf, checkedIdempotencyKey, pathOf, queryOf } from './request-parts.ts'
import { sendOnce } from './send-once.ts'

/** Of every call. */
export interface ReadOptions {
  /** Ends the call, its tries and the waits between them. */
  signal?: AbortSignal | undefined
  /** A name of yours for the request (`x-request-id`), which the service logs. */
  requestId?: string | undefined
}

/** Of a call that changes something. */
export interface CallOptions extends ReadOptions {
  /**
   * The same key with the same call is carried out once in 30 days: keep one with the order, and a process that starts anew may repeat
   * it. Without one each call gets a key of its own, which only the client's own tries share.
   */
  idempotencyKey?: string | undefined
}

/** Of a change of an agreement. */
export interface ChangeOptions extends CallOptions {
  /** `etagOf(agreement)`: it is done only while the agreement is as it was read, else `precondition_failed`. */
  ifMatch?: string | undefined
}

type AnyId = keyof Operations
type ListId = { [Id in AnyId]: Operations[Id] extends { item: unknown } ? Id : never }[AnyId]
type CallId = Exclude<AnyId, ListId>
/** What goes into a call: its `params`, `query` and `body`. */
interface Input<Id extends AnyId> {
  params?: Part<Id, 'params'>
  query?: Part<Id, 'query'>
  body?: Part<Id, 'body'>
}
type Part<Id extends AnyId, Name extends string> =
  Operations[Id] extends Record<Name, infer Type extends object> ? Type : never

/** The one way from the methods to the service: by the ids of operations. */
export interface Api {
  call: <Id extends CallId>(
    id: Id,
    input: Input<Id>,
    options?: ChangeOptions,
  ) => Promise<Operations[Id]['answer']>
  list: <Id extends ListId>(id: Id, input: Input<Id>, options?: ReadOptions) => List<Operations[Id]['item']>
}

interface Parts {
  options: CheckedOptions
  limits: RetryLimits
  machine: Machine
}

interface AnyInput {
  params?: object
  query?: object
  body?: object
}

export function createApi({ options, limits, machine }: Parts): Api {
  const { baseUrl, secretKey, oauth } = options
  const withAccessToken = oauth === null ? null : createAccessTokens(oauth, `${baseUrl}/oauth/token`, machine)

  async function send<Data>(id: AnyId, input: AnyInput, callOptions: ChangeOptions): Promise<Answer<Data>> {
    const operation = operations[id]
    const { signal, idempotencyKey = machine.createKey() } = callOptions
    const key = operation.takesKey ? checkedIdempotencyKey(idempotencyKey) : null
    const request = {
      method: operation.method,
      url: `${baseUrl}${pathOf(operation.path, input.params)}${queryOf(input.query)}`,
      body: bodyOf(input.body),
    }
    const headers = {
      accept: 'application/json',
      'user-agent': `svc-server/${__SVC_VERSION__} node/${process.versions.node}`,
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== null && { 'idempotency-key': key }),
      ...(callOptions.ifMatch !== undefined && { 'if-match': callOptions.ifMatch }),
      ...(callOptions.requestId !== undefined && { 'x-request-id': callOptions.requestId }),
    }
    const sendWith = async (credential: Record<string, string>, trySignal: AbortSignal) => {
      const sending = { signal: trySignal, idempotencyKey: key }
      const { response, text } = await sendOnce(
        { ...request, headers: { ...headers, ...credential } },
        machine,
        sending,
      )
      return readAnswer<Data>(response, text, key)
    }
    return withRetries(
      (trySignal) => {
        if (operation.key === 'secret')
          return sendWith({ 'x-user-secret-key': needed(secretKey, 'secretKey') }, trySignal)
        const use = (token: string) => sendWith({ authorization: `Bearer ${token}` }, trySignal)
        return needed(withAccessToken, 'oauth')(use, trySignal)
      },
      { limits, machine, signal },
    )
  }

  return {
    async call(id, input, callOptions = {}) {
      const { data, etag } = await send<Operations[typeof id]['answer']>(id, input, callOptions)
      keepEtag(data, etag)
      return data
    },
    list: (id, input, readOptions = {}) =>
      new List(async (cursor) => {
        const query = cursor === undefined ? {} : { query: { ...input.query, cursor } }
        const { data, next } = await send<Operations[typeof id]['item'][]>(
          id,
          { ...input, ...query },
          readOptions,
        )
        return { data, next }
      }),
  }
}

function needed<T>(value: T | null, option: string): T {
  if (value === null) throw new TypeError(`This call needs ${option}: give it to new SvcClient({ … }).`)
  return value
}
