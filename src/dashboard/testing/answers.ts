import type { Envelope } from '../../contract/api/envelope.ts'
import { IN_VIEW, UNATTENDED } from '../../contract/dashboard/people/session-view.ts'

/** What the service answers in a test, or a function that makes it of a request's body. */
export type Answer = () => Promise<Response>

interface DataOptions {
  status?: number
  /** The cursor of the next page. */
  next?: string | null
}

/** An answer with data in the service's envelope. */
export function data(value: unknown, { status = 200, next = null }: DataOptions = {}): Answer {
  return envelope({ status, error: null, resource: { type: 'test', data: value, next } })
}

/** A refusal in the service's envelope. */
export function refusal(
  status: number,
  code: string,
  message: string,
  details: { path: string; message: string }[] = [],
): Answer {
  return envelope({ status, error: { code, message, details }, resource: { type: 'test', data: null } })
}

/** The same, for a request that may be sent again after a moment. */
export function worthRepeating(answer: Answer): Answer {
  return async () => {
    const response = await answer()
    response.headers.set('retry-after', '10')
    return response
  }
}

/** A connection that fails. */
export const noAnswer: Answer = () => Promise.reject(new TypeError('Failed to fetch'))

/** An answer that comes when `give` is called. */
export function later(answer: Answer): { answer: Answer; give: () => void } {
  let give: () => void = () => undefined
  const given = new Promise<void>((resolve) => (give = resolve))
  return { answer: () => given.then(answer), give }
}

function envelope(body: Envelope): Answer {
  return () => Promise.resolve(new Response(JSON.stringify(body), { status: body.status }))
}

/** Answers by method and path, such as `GET /api/team`; of several, one after the other, the last for ever. */
export type Answers = Readonly<Record<string, Answer | readonly Answer[]>>

/** A request that was sent. */
export interface Sent {
  /** Such as `POST /api/session`, with its query. */
  line: string
  body: unknown
  key: string | null
  isUnattended: boolean
  /** What the page said that it shows. */
  inView: string | null
}

/** A service that gives these answers, and 404 to all else. */
export function createService(answers: Answers) {
  const sent: Sent[] = []
  const times = new Map<string, number>()
  const answerTo = (line: string): Answer => {
    const name = line in answers ? line : (line.split('?')[0] ?? '')
    const given = answers[name] ?? refusal(404, 'not_found', `No answer for ${line}.`)
    const all = typeof given === 'function' ? [given] : given
    const time = times.get(name) ?? 0
    times.set(name, time + 1)
    return all[Math.min(time, all.length - 1)] ?? noAnswer
  }
  const send: typeof globalThis.fetch = (url, init) => {
    const line = `${init?.method ?? 'GET'} ${url instanceof Request ? url.url : url.toString()}`
    const headers = new Headers(init?.headers)
    const [key, isUnattended] = [headers.get('idempotency-key'), headers.has(UNATTENDED)]
    sent.push({
      line,
      key,
      isUnattended,
      inView: headers.get(IN_VIEW),
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : null,
    })
    return answerTo(line)()
  }
  return { send, sent }
}
