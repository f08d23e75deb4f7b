import * as v from 'valibot'
import { Envelope } from '../../contract/api/envelope.ts'
import { IN_VIEW, UNATTENDED } from '../../contract/dashboard/people/session-view.ts'
import type { Browser } from '../browser.ts'
import { localFailure, serviceFailure } from './failure.ts'
import type { Asked, Failure } from './failure.ts'

/** The outcome of a request. `next` is the cursor of the next page of a list. */
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
  /** How long its answer is waited for, in ms: longer than usual where the body is a file. */
  timeoutMs?: number
}

/** The dashboard's requests to the service. None rejects. */
export interface Api {
  /**
   * Fetches what a page will read in a moment: the next `read` of this path uses the answer, unless it is old or a refusal.
   */
  readAhead: (path: string) => void
  read: <Schema extends AnySchema>(
    path: string,
    answer: Schema,
    signal?: AbortSignal,
  ) => Promise<Outcome<v.InferOutput<Schema>>>
  change: <Schema extends AnySchema>(change: Change<Schema>) => Promise<Outcome<v.InferOutput<Schema>>>
}

export interface ApiParts {
  browser: Pick<Browser, 'send' | 'createKey' | 'online' | 'now'>
  /** Whether a person is using the page; if not, the request is one that the page makes by itself. */
  isAttended: () => boolean
  /** What the page shows, as the header has it; null before it is known who is signed in. */
  inView: () => string | null
  /** Called when the service refuses the session: it may have ended, or belong to another merchant, person or role. */
  checkSession: () => void
  /** Asks the person for the password and tells it to the service; false if the person does not give it. */
  confirmPassword: () => Promise<boolean>
}

/** Asks who is signed in, so a 401 from it is the answer and no reason to check the session. */
export const SESSION_PATH = '/api/session'

/** After these the session is checked: `forbidden` may mean that the role was taken away, or that the page shows another merchant. */
const DOUBTS: ReadonlySet<string> = new Set(['unauthorized', 'forbidden'])

const TIMEOUT_MS = 30_000
/** How long an answer that was fetched ahead counts as current, in ms. */
const FRESH_MS = 5_000

/** Creates the one place that sends requests. The session's cookie goes along by itself. */
export function createApi({ browser, isAttended, inView, checkSession, confirmPassword }: ApiParts): Api {
  let ahead: { path: string; at: number; answered: Promise<Answered> } | null = null
  async function takeAhead(path: string): Promise<Answered | null> {
    const known = ahead
    if (known?.path !== path) return null
    ahead = null
    const answered = browser.now() - known.at < FRESH_MS ? await known.answered : null
    return answered?.kind === 'answered' && answered.status !== 200 ? null : answered
  }
  async function ask<Schema extends AnySchema>(
    url: string,
    init: RequestInit,
    schema: Schema,
    timeoutMs?: number,
  ) {
    const known = init.method === undefined ? await takeAhead(url) : null
    const asked = askedBy(url, init)
    const outcome = outcomeOf(known ?? (await answerTo(browser, url, init, timeoutMs)), schema, asked)
    const isDoubted = outcome.kind === 'failed' && DOUBTS.has(outcome.failure.code)
    if (isDoubted && url !== SESSION_PATH) checkSession()
    return outcome
  }
  /** Requests about the session do not say whom the page shows: they are about whoever is signed in. */
  function viewHeaderOf(path: string): Readonly<Record<string, string>> {
    const shown = path === SESSION_PATH ? null : inView()
    return shown === null ? {} : { [IN_VIEW]: shown }
  }
  return {
    readAhead(path) {
      ahead = { path, at: browser.now(), answered: answerTo(browser, path, {}) }
    },
    read(path, answer, signal) {
      const headers = { ...viewHeaderOf(path), ...(!isAttended() && { [UNATTENDED]: 'true' }) }
      return ask(path, { headers, ...(signal && { signal }) }, answer)
    },
    async change(change) {
      const init = requestOf(change, change.key ?? browser.createKey(), viewHeaderOf(change.path))
      const outcome = await ask(change.path, init, change.answer, change.timeoutMs)
      if (outcome.kind === 'done' || outcome.failure.code !== 'password_required') return outcome
      if (!(await confirmPassword())) return { kind: 'failed', failure: localFailure('cancelled') }
      return ask(change.path, init, change.answer, change.timeoutMs)
    },
  }
}

function requestOf(
  { method, body, ifMatch }: Change<AnySchema>,
  key: string,
  viewHeader: Readonly<Record<string, string>>,
): RequestInit {
  return {
    method,
    headers: {
      ...viewHeader,
      'content-type': 'application/json',
      'idempotency-key': key,
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}

/** The answer as parsed JSON, not yet checked (undefined if it is not JSON), or why there is none. */
type Answered =
  | { kind: 'answered'; status: number; etag: string | null; isWorthRepeating: boolean; body: unknown }
  | { kind: 'failed'; failure: Failure }

/** What a request asks for. The merchants' API looks at the key of every change, the dashboard's own routes at none. */
function askedBy(url: string, { method }: RequestInit): Asked {
  if (method === undefined) return 'read'
  return url.startsWith('/v1/') ? 'once' : 'change'
}

async function answerTo(
  { send, online }: Pick<Browser, 'send' | 'online'>,
  url: string,
  init: RequestInit,
  timeoutMs = TIMEOUT_MS,
): Promise<Answered> {
  const asked = askedBy(url, init)
  // A change that was begun on a line may have arrived, though its answer was lost with the line.
  const wasOffline = asked === 'read' || !online()
  try {
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
    const response = await send(url, {
      ...init,
      signal,
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
    })
    const { status, headers } = response
    const isWorthRepeating = headers.has('retry-after')
    return {
      kind: 'answered',
      status,
      etag: headers.get('etag'),
      isWorthRepeating,
      body: await jsonOf(response),
    }
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
    const lost = wasOffline && !online() ? 'offline' : 'unreachable'
    return { kind: 'failed', failure: localFailure(isTimeout ? 'timeout' : lost, asked) }
  }
}

function outcomeOf<Schema extends AnySchema>(
  answered: Answered,
  schema: Schema,
  asked: Asked,
): Outcome<v.InferOutput<Schema>> {
  if (answered.kind === 'failed') return answered
  const { etag, body } = answered
  const unreadable = { kind: 'failed', failure: localFailure('unreadable_answer', asked) } as const
  const envelope = v.safeParse(Envelope, body)
  if (!envelope.success) return unreadable
  const { error, resource } = envelope.output
  if (error !== null) return { kind: 'failed', failure: serviceFailure(answered, error, asked) }
  const data = v.safeParse(schema, resource.data)
  if (!data.success) return unreadable
  return { kind: 'done', data: data.output, next: resource.next ?? null, etag }
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
