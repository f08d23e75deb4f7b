import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { MonotonicClock } from '../../clocks.ts'
import { ServiceError } from '../../errors.ts'
import type { Maintenance } from '../../maintenance.ts'
import { createRateLimit } from '../../rate-limits.ts'
import type { RateLimit, RateLimits, SharedLimit } from '../../rate-limits.ts'
import type { CallerKey, Sender } from './sender.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes card numbers, so it is limited more. */
    takesCards?: boolean
  }
}

interface Parts {
  limits: Pick<RateLimits, 'perAddress'>
  cards: SharedLimit<CallerKey>
  /** The same of a whole IPv6 /48. */
  cardsOfSite: SharedLimit<CallerKey>
  isOverloaded: () => boolean
  clock: MonotonicClock
}

/** Turns requests away before their bodies are read: when there are too many from one address, or altogether. */
export function admitRequests(app: FastifyInstance, parts: Parts): void {
  const { limits, isOverloaded, clock } = parts
  const requests = createRateLimit<CallerKey>(limits.perAddress, clock)
  // After every onRequest, so that a refusal too carries the headers by which a page of another origin may read it.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { operation, takesCards } = request.routeOptions.config
    if (operation?.isAlwaysServed !== true) {
      if (isOverloaded() && operation?.isLastWord !== true) {
        done(overloaded())
        return
      }
      take(requests, request.sender.caller)
      if (takesCards === true) {
        takeCard(request.sender, parts).then(() => done(null, payload), done)
        return
      }
    }
    done(null, payload)
  })
}

async function takeCard({ caller, site }: Sender, { cards, cardsOfSite }: Parts): Promise<void> {
  await countShared(cards, caller)
  if (site !== caller) await countShared(cardsOfSite, site)
}

/** Counts one more; throws `rate_limited` with the time to wait when it is one too many. */
export function take<Who extends string>(limit: RateLimit<Who>, who: Who): void {
  refuseUntil(limit.take(who))
}

/** Like `take`, of a limit that all processes share. */
export async function countShared<Who extends string>(limit: SharedLimit<Who>, who: Who): Promise<void> {
  refuseUntil(await limit.take(who))
}

function refuseUntil(retryAfter: number): void {
  if (retryAfter === 0) return
  const words = 'Too many requests. Send this one again after Retry-After seconds.'
  throw new ServiceError('rate_limited', words, { retryAfter })
}

function overloaded(): ServiceError {
  const words = 'The service is too busy just now. Nothing was done; try again after Retry-After seconds.'
  return new ServiceError('service_unavailable', words, { retryAfter: 2 })
}

/** A turn of the event loop that takes longer than this, on average over a sample, keeps clients waiting too long. */
const MAX_DELAY_MS = 1000
const SAMPLE_MS = 500
/**
 * A single long stall is over by the time it is seen, and the next collection frees memory: only what persists is overload.
 */
const BAD_SAMPLES = 3
/** Share of the memory that the process may use. Beyond it the process may be killed, with all requests under way. */
const MAX_MEMORY_SHARE = 0.9
const RESOLUTION_MS = 20
/** With 20 connections about a second of work on a slow disk; a burst of 1,000 requests is well below. */
const MAX_WAITING = 2000

/** What is watched besides the event loop. */
interface Watched {
  /** How much work waits for the database. */
  waiting: () => number
  /** How much of the memory that it may have the process uses, 0 to 1. */
  memoryShare: () => number
}

/**
 * Tells whether more work can only make everyone wait, or end the process: the event loop is late, memory is short, or the
 * line for the database is long. Watches until `app` is closed.
 */
export function watchOverload(app: FastifyInstance, { waiting, memoryShare }: Watched): () => boolean {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let badSamples = 0
  const timer = setInterval(() => {
    const isLate = delay.mean / 1e6 - RESOLUTION_MS > MAX_DELAY_MS
    badSamples = isLate || memoryShare() > MAX_MEMORY_SHARE ? badSamples + 1 : 0
    delay.reset()
  }, SAMPLE_MS)
  timer.unref()
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    delay.disable()
    done()
  })
  return () => badSamples >= BAD_SAMPLES || waiting() > MAX_WAITING
}

/** The fuller of two: V8's heap against its limit, and the whole process against its container's, where there is one. */
export function memoryShareOfProcess(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  const containerBytes = process.constrainedMemory()
  const ofContainer = containerBytes > 0 ? process.memoryUsage.rss() / containerBytes : 0
  return Math.max(used / limit, ofContainer)
}

/** Counts one more wrong key, secret or token of the request's address; throws `rate_limited` when it is one too many. */
export type CountWrongKey = (request: Pick<FastifyRequest, 'sender'>) => Promise<void>

/**
 * During maintenance only the service's health and reference are served, the last word of what is under way, and what is no operation of
 * the API: files and documents for browsers, and preflight requests. The dashboard's own routes are recognised by their permission, those for
 * gateways by taking bytes.
 */
export function refuseInMaintenance(
  app: FastifyInstance,
  { retryAfter }: Pick<Maintenance, 'retryAfter'>,
): void {
  // After every onRequest, so that a refusal too carries the headers by which a page of another origin may read it.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const seconds = retryAfter()
    const { operation, permission, isFile, takesBytes } = request.routeOptions.config
    const isOperation = operation !== undefined || permission !== undefined || takesBytes === true
    const { isAlwaysServed, isReference, isLastWord } = operation ?? {}
    const isServed = !isOperation || [isFile, isAlwaysServed, isReference, isLastWord].includes(true)
    if (seconds === null || isServed) done(null, payload)
    else done(inMaintenance(seconds))
  })
}

function inMaintenance(retryAfter: number): ServiceError {
  const words = 'The service is in maintenance. Nothing was done; try again after Retry-After seconds.'
  return new ServiceError('service_unavailable', words, { retryAfter })
}
