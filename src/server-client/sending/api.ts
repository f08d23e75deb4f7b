import type { Operations } from '../operations.ts'
import type { CheckedOptions } from '../client-options.ts'
import { SvcError } from '../svc-error.ts'
import { createAccessTokens } from './access-tokens.ts'
import { refuseUnknownOptions } from './call-options.ts'
import type { ChangeOptions, ReadOptions } from './call-options.ts'
import { keepEtag } from './etags.ts'
import { List } from './list.ts'
import type { Runtime } from './runtime.ts'
import { preparedRequest } from './prepared-request.ts'
import type { Input } from './prepared-request.ts'
import { readAnswer } from './read-answer.ts'
import type { Answer } from './read-answer.ts'
import { withRetries } from './retries.ts'
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
