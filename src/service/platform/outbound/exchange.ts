import type { Dispatcher } from 'undici'
import type { Connection } from './kept-connections.ts'
import { lostCodeOf, NoAnswer, proxyCode } from './no-answer.ts'

export interface Answer {
  status: number
  /** By lower-case names; those that came several times are joined by commas. */
  headers: Readonly<Record<string, string | undefined>>
  /** Empty where only the status is wanted. */
  body: string
}

/** What an exchange may cost at most. */
export interface Limits {
  /** From the look-up of the name to the last byte of the answer, in ms. */
  timeoutMs: number
  /** Of the answer's body. */
  maxBytes: number
  /** `status`: it counts as soon as it is there, whatever becomes of the body, which gets another second to end. */
  wants: 'status' | 'whole answer'
}

interface Content {
  request: Dispatcher.DispatchOptions
  signal: AbortSignal | undefined
  /** The proxy on the way, by host and port; null where none stands between. */
  proxy: string | null
}

/** The most 1xx answers that are accepted before the final one (RFC 9110, 15.2). */
const MAX_INTERIM = 16
/** How long to wait for the end of a body that is not read, so that the connection can be kept. */
const REST_MS = 1000

/**
 * Sends a request over a connection and waits for its answer. It always settles: a timer of its own sees to that, whatever the
 * connection says or leaves unsaid. The connection is destroyed unless the exchange ended well.
 */
export function exchange(
  connection: Connection,
  { request, signal, proxy }: Content,
  { timeoutMs, maxBytes, wants }: Limits,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let isSent = false
    let isOver = false
    let known: Omit<Answer, 'body'> | undefined
    const settle = (act: () => void): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      act()
    }
    const fail = (code: string): void =>
      settle(() => {
        connection.destroy()
        if (known !== undefined && wants === 'status') resolve({ ...known, body: '' })
        else {
          const step = isSent ? 'answer' : connection.step()
          const exact = step === 'proxy' ? proxyCode(code) : code
          reject(new NoAnswer(exact, isSent, { server: new URL(connection.origin).host, step, proxy }))
        }
      })
    const stop = (): void => fail('STOPPED')
    let timer = setTimeout(() => fail('TIMED_OUT'), timeoutMs)
    signal?.addEventListener('abort', stop, { once: true })
    connection.client.dispatch(
      request,
      watchForAnswer({
        maxBytes,
        fail,
        onStart: () => (isSent = true),
        onHead(head) {
          known = head
          if (wants === 'whole answer') return
          clearTimeout(timer)
          timer = setTimeout(() => fail('TIMED_OUT'), Math.min(REST_MS, timeoutMs))
        },
        onEnd: (head, body) => settle(() => resolve({ ...head, body: wants === 'status' ? '' : body() })),
      }),
    )
  })
}

interface Hears {
  maxBytes: number
  /** May be called several times. */
  fail: (code: string) => void
  /** From here on the server may have got something. */
  onStart: () => void
  onHead: (head: Omit<Answer, 'body'>) => void
  onEnd: (head: Omit<Answer, 'body'>, body: () => string) => void
}

/** Receives the answer, or the failure in its place. */
function watchForAnswer({ maxBytes, fail, onStart, onHead, onEnd }: Hears): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = []
  let head: Omit<Answer, 'body'> | undefined
  let starts = 0
  let interim = 0
  let read = 0
  return {
    onRequestStart(controller) {
      starts += 1
      // Whatever the connection may think: what was sent once is not sent again.
      if (starts > 1) controller.abort(new NoAnswer('CLOSED', true))
      else onStart()
    },
    onResponseStart(_controller, status, headers) {
      if (status === 101) fail('UPGRADED')
      else if (status >= 200) {
        head = { status, headers: joined(headers) }
        onHead(head)
      } else {
        interim += 1
        if (interim > MAX_INTERIM) fail('TOO_MANY_INTERIM_ANSWERS')
      }
    },
    onResponseData(_controller, chunk) {
      read += chunk.length
      if (read > maxBytes) fail('TOO_LARGE')
      else chunks.push(chunk)
    },
    onResponseEnd() {
      if (head !== undefined) onEnd(head, () => Buffer.concat(chunks).toString())
    },
    onResponseError: (_controller, error) => fail(lostCodeOf(error, head !== undefined)),
  }
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Answer['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
}
