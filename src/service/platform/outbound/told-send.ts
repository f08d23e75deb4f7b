import type { MonotonicClock } from '../clocks.ts'
import type { SendRequest } from './http-client.ts'
import { codeOf, NoAnswer, serverOf } from './no-answer.ts'

/** The same server is told of again after this long. */
const AGAIN_AFTER_MS = 60_000
/** How many servers are remembered; beyond it nothing is told of one more until an older one's minute is over. */
const MAX_SERVERS = 1000

/** Which server gives no answer, by what code, and at which step. */
interface Told {
  server: string
  code: string
  step: string | undefined
  /** How many such requests were not told of since the last time. */
  untold: number
  /** The proxy that let nothing through, and why in words. */
  proxy?: string
  fault?: string
}

interface Parts {
  tell: (facts: Told, words: string) => void
  /** Such as `a gateway`. */
  whose: string
  clock: MonotonicClock
}

/** The same, and the log hears of each server that gives no answer: once a minute, with how often that was. */
export function toldSend({ tell, whose, clock }: Parts, send: SendRequest): SendRequest {
  const told = new Map<string, { at: number; untold: number }>()
  const tellOf = (server: string, error: unknown) => {
    const now = clock.elapsedMs()
    const culprit = culpritOf(server, error)
    const last = told.get(culprit)
    if (last !== undefined && now - last.at < AGAIN_AFTER_MS) {
      last.untold += 1
      return
    }
    if (last === undefined && told.size >= MAX_SERVERS)
      for (const [other, { at }] of told) if (now - at >= AGAIN_AFTER_MS) told.delete(other)
    if (told.size >= MAX_SERVERS && last === undefined) return
    tell(
      ...wordsOf(error, { server, code: codeOf(error), step: undefined, untold: last?.untold ?? 0 }, whose),
    )
    told.set(culprit, { at: now, untold: 0 })
  }
  return async (outbound) => {
    try {
      return await send(outbound)
    } catch (error) {
      // Who has stopped waiting has not found the server at fault.
      if (codeOf(error) !== 'STOPPED') tellOf(serverOf(outbound.url), error)
      throw error
    }
  }
}

/** A proxy that lets nothing through does so for every server. */
function culpritOf(server: string, error: unknown): string {
  const isProxys = error instanceof NoAnswer && error.proxy !== null
  return isProxys ? `${error.proxy} ${error.code}` : server
}

function wordsOf(error: unknown, facts: Told, whose: string): [Told, string] {
  const words = `the server of ${whose} gives no answer`
  if (!(error instanceof NoAnswer)) return [facts, words]
  const { proxy, step, message } = error
  if (proxy === null) return [{ ...facts, step }, words]
  return [{ ...facts, step, proxy, fault: message }, `the proxy opens no way to the server of ${whose}`]
}
