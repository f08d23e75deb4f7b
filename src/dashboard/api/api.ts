import * as v from 'valibot'
import { Envelope } from '../../contract/api/envelope.ts'
import type { Browser } from '../browser.ts'
import { localFailure, serviceFailure } from './failure.ts'
import type { Failure } from './failure.ts'

/** What came of a request. `next` is the cursor of the next page of a list. */
export type Outcome<T> =
  | { kind: 'done'; data: T; next: string | null; etag: string | null }
  | { kind: 'failed'; failure: Failure }

/** Why a request failed; null when it did what was asked. */
export function failureOf(outcome: Outcome<unknown>): Failure | null {
  return outcome.kind === 'failed' ? outcome.failure : null
}

export type AnySchema = v.GenericSchema<unknown, unknown>

/** A request that changes something. */
export interface Change<Schema extends AnySchema> {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: object
  /** The schema of the answer's data. */
  answer: Schema
  /** The same for every repeat of one act, which then happens once. Absent: a new one. */
  key?: string
  /** The `etag` of what is changed, where the service asks for it. */
  ifMatch?: string
}

/** The dashboard's requests to the service. Neither rejects. */
export interface Api {
  read: <Schema extends AnySchema>(
    path: string,
    answer: Schema,
    signal?: AbortSignal,
  ) => Promise<Outcome<v.InferOutput<Schema>>>
  change: <Schema extends AnySchema>(change: Change<Schema>) => Promise<Outcome<v.InferOutput<Schema>>>
}

export interface ApiParts {
  browser: Pick<Browser, 'send' | 'createKey' | 'online'>
  /** Called when the service refuses who asks: the session may have ended. */
  sessionDoubted: () => void
  /** Asks the person for the password and tells it to the service; false if the person does not give it. */
  confirmPassword: () => Promise<boolean>
}

/** Tells who is logged in, so a refusal here is no doubt but the answer. */
export const SESSION_PATH = '/api/session'

const TIMEOUT_MS = 30_000

/** Creates the one place that sends requests. The session's cookie goes along by itself. */
export function createApi({ browser, sessionDoubted, confirmPassword }: ApiParts): Api {
  async function ask<Schema extends AnySchema>(url: string, init: RequestInit, schema: Schema) {
    const outcome = await outcomeOf(browser, { url, init, schema })
    const isDoubted = outcome.kind === 'failed' && outcome.failure.code === 'unauthorized'
    if (isDoubted && url !== SESSION_PATH) sessionDoubted()
    return outcome
  }
  return {
    read: (path, answer, signal) => ask(path, signal ? { signal } : {}, answer),
    async change(change) {
      const init = requestOf(change, change.key ?? browser.createKey())
      const outcome = await ask(change.path, init, change.answer)
      if (outcome.kind === 'done' || outcome.failure.code !== 'password_required') return outcome
      if (!(await confirmPassword())) return { kind: 'failed', failure: localFailure('cancelled') }
      return ask(change.path, init, change.answer)
    },
  }
}

function requestOf({ method, body, ifMatch }: Change<AnySchema>, key: string): RequestInit {
  return {
    method,
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}

interface Sending<Schema extends AnySchema> {
  url: string
  init: RequestInit
  schema: Schema
}

async function outcomeOf<Schema extends AnySchema>(
  { send, online }: Pick<Browser, 'send' | 'online'>,
  { url, init, schema }: Sending<Schema>,
): Promise<Outcome<v.InferOutput<Schema>>> {
  const failed = (failure: Failure) => ({ kind: 'failed', failure }) as const
  try {
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
    const response = await send(url, {
      ...init,
      signal,
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
    })
    const envelope = v.safeParse(Envelope, await jsonOf(response))
    if (!envelope.success) return failed(localFailure('unreadable_answer'))
    const { error, resource } = envelope.output
    if (error !== null) return failed(serviceFailure(response.status, error))
    const data = v.safeParse(schema, resource.data)
    if (!data.success) return failed(localFailure('unreadable_answer'))
    return {
      kind: 'done',
      data: data.output,
      next: resource.next ?? null,
      etag: response.headers.get('etag'),
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return failed(localFailure('timeout'))
    return failed(localFailure(online() ? 'unreachable' : 'offline'))
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
