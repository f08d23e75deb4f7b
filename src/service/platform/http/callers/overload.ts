import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance } from 'fastify'

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
