import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { quantile } from '../agreements/api-load.ts'
import type { Questions } from './questions.ts'

/** How often each question is asked. */
const TIMES = 60

interface Asking {
  app: FastifyInstance
  /** The requests are made by a person who is signed in at this merchant. */
  session: { merchantId: string }
  /** A merchant that has nothing. */
  emptyMerchantId: string
}

/** How long the answers to one question took, in ms. */
export interface Asked {
  question: string
  p50: number
  p95: number
}

/**
 * Times each request on the server, from the request to the whole answer, without the network. It is compared with the same request
 * for a merchant that has nothing; both are asked by turns.
 */
export async function ask(
  { app, session, emptyMerchantId }: Asking,
  questions: Questions,
  say: (line: string) => void,
): Promise<Asked[]> {
  const { merchantId } = session
  const asked: Asked[] = []
  say(HEADING)
  const timed = async (url: string, id: string) => {
    session.merchantId = id
    const began = performance.now()
    const { statusCode, body } = await app.inject({ url })
    const tookMs = performance.now() - began
    if (statusCode !== 200 && id === merchantId) throw new Error(`${url}: ${body}`)
    return { tookMs, body }
  }
  for (const [name, path] of Object.entries(questions)) {
    const took: number[] = []
    const ofNothing: number[] = []
    let last = ''
    for (let n = 0; n < TIMES; n += 1) {
      ofNothing.push((await timed(path(n), emptyMerchantId)).tookMs)
      const { tookMs, body } = await timed(path(n), merchantId)
      took.push(tookMs)
      last = body
    }
    const figures = figuresOf(took)
    const yardstick = figuresOf(ofNothing)
    asked.push({ question: name, ...figures })
    say(`${name.padEnd(44)}${wordsOf(figures)}      ${wordsOf(yardstick)}      ${rowsIn(last)}`)
  }
  session.merchantId = merchantId
  return asked
}

const figuresOf = (ms: readonly number[]) => ({ p50: quantile(ms, 0.5), p95: quantile(ms, 0.95) })

const wordsOf = ({ p50, p95 }: Omit<Asked, 'question'>) =>
  [p50, p95].map((ms) => ms.toFixed(1).padStart(8)).join('')

const HEADING = `${''.padEnd(44)}     p50     p95  nothing: p50    p95 (ms)  rows`

const Page = v.object({ resource: v.object({ data: v.unknown(), next: v.optional(v.nullable(v.string())) }) })

/** How many things a page shows; `+` where there may be more. */
function rowsIn(body: string): string {
  const { data, next } = v.parse(Page, JSON.parse(body)).resource
  return Array.isArray(data) ? `${String(data.length)}${typeof next === 'string' ? '+' : ''}` : ''
}
