import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DoubleAnswer } from './double-ledger.ts'

/** What may go wrong with one request, before and after the double has done what it asks for. */
export const doubleFaults = [
  'silence before applying',
  'silence after applying',
  'reset before applying',
  'reset after applying',
  'error 500 before applying',
  'error 500 after applying',
  "another request's answer",
  'slow drip',
  'rubbish',
  'half an answer',
  'wrong content type',
  'too many requests',
  'key in use',
] as const
export type DoubleFault = (typeof doubleFaults)[number]

const BEFORE = new Set<DoubleFault>([
  'silence before applying',
  'reset before applying',
  'error 500 before applying',
  'too many requests',
  'key in use',
])

/** Whether a fault strikes before anything is done. */
export function strikesBefore(fault: DoubleFault | undefined): boolean {
  return fault !== undefined && BEFORE.has(fault)
}

type Strike = (response: ServerResponse, answer: DoubleAnswer, other: DoubleAnswer) => unknown

const silence: Strike = () => undefined
const reset: Strike = (response) => response.socket?.resetAndDestroy()
const fail: Strike = (response) => write(response, errorOf(500, '905', 'An internal error occurred'))

/** Answers as a fault has it; `other` is the answer to another request. */
export const strikes: Readonly<Record<DoubleFault, Strike>> = {
  'silence before applying': silence,
  'silence after applying': silence,
  'reset before applying': reset,
  'reset after applying': reset,
  'error 500 before applying': fail,
  'error 500 after applying': fail,
  "another request's answer": (response, _, other) => write(response, other),
  'slow drip': drip,
  rubbish: (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"resultCode":"Author'),
  'half an answer': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' }).write('{"result')
    response.socket?.end()
  },
  'wrong content type': (response, answer) => write(response, answer, 'text/html'),
  'too many requests': (response) => write(response, errorOf(429, '000', 'Too many requests')),
  'key in use': (response) => {
    response.setHeader('transient-error', 'true')
    write(response, errorOf(422, '704', 'Request already processed or in progress'))
  },
}

/** Answers as it should. */
export function write(
  response: ServerResponse,
  { status, body }: DoubleAnswer,
  type = 'application/json',
): void {
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body))
}

async function drip(response: ServerResponse, { status, body }: DoubleAnswer): Promise<void> {
  response.writeHead(status, { 'content-type': 'application/json' })
  for (const letter of JSON.stringify(body)) {
    if (response.destroyed) return
    response.write(letter)
    await sleep(20)
  }
  response.end()
}

function errorOf(status: number, errorCode: string, message: string): DoubleAnswer {
  return { status, body: { status, errorCode, message, errorType: 'internal' } }
}
