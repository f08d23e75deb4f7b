import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { codeOf, NoAnswer } from './no-answer.ts'
import type { Step } from './no-answer.ts'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
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
  body: string
  signal?: AbortSignal
}

/** The most 1xx answers that are accepted before the final one (RFC 9110, 15.2). */
const MAX_INTERIM = 16
/** How long to wait for the end of a body that is not read, so that the connection can be closed cleanly. */
const REST_MS = 1000

/**
 * Sends a request's body and waits for its answer. It always settles, and nothing is left of the connection then, unless
 * it ended well and is kept for the next request: a timer of its own sees to that, whatever the socket says or leaves unsaid.
 */
export function exchange(
  request: ClientRequest,
  { body, signal }: Content,
  { timeoutMs, maxBytes, wants, keepsConnections }: Limits & { keepsConnections: boolean },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stepOf = watchSteps(request)
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
        request.destroy()
        if (known !== undefined && wants === 'status') resolve({ ...known, body: '' })
        else {
          const step = stepOf()
          reject(new NoAnswer(code, step === 'answer', { server: String(request.getHeader('host')), step }))
        }
      })
    const succeed = (answer: Answer): void =>
      settle(() => {
        if (!keepsConnections || !request.writableFinished) request.destroy()
        resolve(answer)
      })
    const stop = (): void => fail('STOPPED')
    let timer = setTimeout(() => fail('TIMED_OUT'), timeoutMs)

    watchForAnswer(request, fail, (answer) => {
      known = { status: answer.statusCode ?? 0, headers: answer.headers }
      if (wants === 'status') {
        clearTimeout(timer)
        timer = setTimeout(() => fail('TIMED_OUT'), Math.min(REST_MS, timeoutMs))
      }
      const facts = known
      readBody(answer, maxBytes, fail, (text) => succeed({ ...facts, body: wants === 'status' ? '' : text }))
    })
    if (signal?.aborted === true) stop()
    else {
      signal?.addEventListener('abort', stop, { once: true })
      request.end(body)
    }
  })
}

/** How far a request has come. Nothing can have been sent before the last step: by TLS not before its handshake is done. */
function watchSteps(request: ClientRequest): () => Step {
  // Of a server that is named by its address nothing is looked up.
  let step: Step = isIP(request.host.replace(/^\[|\]$/g, '')) === 0 ? 'lookup' : 'connection'
  request.once('socket', (socket) => {
    // A kept connection was made long ago, and would gather a listener for each request.
    if (request.reusedSocket) return
    const isEncrypted = 'encrypted' in socket
    socket.once('connectionAttempt', () => (step = 'connection'))
    socket.once('connect', () => (step = isEncrypted ? 'handshake' : 'answer'))
    if (isEncrypted) socket.once('secureConnect', () => (step = 'answer'))
  })
  return () => (request.reusedSocket ? 'answer' : step)
}

/** Receives the answer, or the failure in its place; `fail` may be called several times. */
function watchForAnswer(
  request: ClientRequest,
  fail: (code: string) => void,
  onAnswer: (answer: IncomingMessage) => void,
): void {
  let interim = 0
  let isAnswered = false
  request.on('error', (error) => fail(codeOf(error)))
  request.on('information', () => {
    interim += 1
    if (interim > MAX_INTERIM) fail('TOO_MANY_INTERIM_ANSWERS')
  })
  // Without a listener, Node takes the socket away and says nothing more of the request.
  request.on('upgrade', (_answer, socket) => {
    socket.destroy()
    fail('UPGRADED')
  })
  request.on('response', (answer) => {
    isAnswered = true
    if (answer.statusCode === 101) fail('UPGRADED')
    else onAnswer(answer)
  })
  // Of an answer that lasts until the connection ends, this comes before its body's end.
  request.on('close', () => {
    if (!isAnswered) fail('CLOSED')
  })
}

function readBody(
  answer: IncomingMessage,
  maxBytes: number,
  fail: (code: string) => void,
  onEnd: (text: string) => void,
): void {
  const chunks: Buffer[] = []
  let read = 0
  answer.on('error', (error) => fail(codeOf(error)))
  answer.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (read > maxBytes) fail('TOO_LARGE')
    else chunks.push(chunk)
  })
  answer.on('end', () => onEnd(Buffer.concat(chunks).toString()))
  answer.on('close', () => fail('CUT_OFF'))
}
