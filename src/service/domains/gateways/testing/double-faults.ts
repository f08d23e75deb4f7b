import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface DoubleAnswer {
  status: number
  body: object
  headers?: Readonly<Record<string, string>>
}

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

/** How a gateway words what its double may answer in place of what was asked for. */
export type DoubleErrors = Readonly<Record<'failure' | 'too many requests' | 'key in use', DoubleAnswer>>

interface Struck {
  answer: DoubleAnswer
  /** The answer to another request. */
  other: DoubleAnswer
  errors: DoubleErrors
}
type Strike = (response: ServerResponse, struck: Struck) => unknown

const silence: Strike = () => undefined
const reset: Strike = (response) => response.socket?.resetAndDestroy()
const fail: Strike = (response, { errors }) => write(response, errors.failure)

/** Answers as a fault has it. */
export const strikes: Readonly<Record<DoubleFault, Strike>> = {
  'silence before applying': silence,
  'silence after applying': silence,
  'reset before applying': reset,
  'reset after applying': reset,
  'error 500 before applying': fail,
  'error 500 after applying': fail,
  "another request's answer": (response, { other }) => write(response, other),
  'slow drip': drip,
  rubbish: (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"resultCode":"Author'),
  'half an answer': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' }).write('{"result')
    response.socket?.end()
  },
  'wrong content type': (response, { answer }) => write(response, answer, 'text/html'),
  'too many requests': (response, { errors }) => write(response, errors['too many requests']),
  'key in use': (response, { errors }) => write(response, errors['key in use']),
}

/** Answers as it should. */
export function write(
  response: ServerResponse,
  { status, body, headers = {} }: DoubleAnswer,
  type = 'application/json',
): void {
  response.writeHead(status, { ...headers, 'content-type': type }).end(JSON.stringify(body))
}

async function drip(response: ServerResponse, { answer: { status, body } }: Struck): Promise<void> {
  response.writeHead(status, { 'content-type': 'application/json' })
  for (const letter of JSON.stringify(body)) {
    if (response.destroyed) return
    response.write(letter)
    await sleep(20)
  }
  response.end()
}
