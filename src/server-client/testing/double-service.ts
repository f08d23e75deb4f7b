import type { Runtime } from '../sending/runtime.ts'

/** A request as it was sent. */
interface Sent {
  method: string
  path: string
  query: string
  headers: Headers
  body: unknown
}

/** One answer: a response, or nothing, as a network that fails has it. */
export type GivenAnswer = () => Response | Promise<Response>

/** An answer in the service's envelope. */
export const answered =
  (data: unknown, { status = 200, headers = {}, next = null }: AnswerParts = {}): GivenAnswer =>
  () =>
    Response.json({ status, error: null, resource: { type: 'thing', data, next } }, { status, headers })

interface AnswerParts {
  status?: number
  headers?: Record<string, string>
  next?: string | null
}

/** A refusal in the service's envelope. */
export const refused =
  (status: number, code: string, headers: Record<string, string> = {}): GivenAnswer =>
  () =>
    Response.json(
      { status, error: { code, message: `${code}, in words.` }, resource: { type: 'thing', data: null } },
      { status, headers },
    )

export const noAnswer: GivenAnswer = () => Promise.reject(new TypeError('fetch failed'))

/** In place of the network: gives these answers in turn, the last one for ever. Waits take no time, and are noted. */
export function createDoubleService(...answers: readonly [GivenAnswer, ...GivenAnswer[]]) {
  const sent: Sent[] = []
  const waits: number[] = []
  let time = 0
  const runtime: Runtime = {
    fetch: async (address, init) => {
      const url = new URL(address instanceof Request ? address.url : address)
      const { method = 'GET', headers, body } = init ?? {}
      const text = typeof body === 'string' ? body : null
      sent.push({
        method,
        path: url.pathname,
        query: url.search,
        headers: new Headers(headers),
        body: text?.startsWith('{') === true ? JSON.parse(text) : text,
      })
      init?.signal?.throwIfAborted()
      const answer = answers[Math.min(sent.length, answers.length) - 1] ?? answers[0]
      return answer()
    },
    now: () => time,
    wait: (ms) => {
      waits.push(ms)
      time += ms
      return Promise.resolve()
    },
    random: () => 1,
    createKey: () => `key-${String(sent.length)}`,
  }
  return { sent, waits, runtime, pass: (ms: number) => (time += ms) }
}
