import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'

/** A turn of the event loop that takes longer than that, on average over a sample, leaves clients in the dark. */
const MOST_DELAY_MS = 1000
const SAMPLE_MS = 500
/** One long stall is over when it is seen; only lateness that stays is too much work. */
const LATE_SAMPLES = 3
const RESOLUTION_MS = 20
/** With 20 connections about a second of work on a slow disk; a burst of 1,000 requests is well below. */
const MOST_WAITING = 2000

/**
 * Tells whether more work can only make everyone wait: the event loop is late, or the line for the database is long.
 * `waiting` counts that line. Watches until `app` is closed.
 */
export function watchOverload(app: FastifyInstance, waiting: () => number): () => boolean {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let lateSamples = 0
  const timer = setInterval(() => {
    const isLate = delay.mean / 1e6 - RESOLUTION_MS > MOST_DELAY_MS
    lateSamples = isLate ? lateSamples + 1 : 0
    delay.reset()
  }, SAMPLE_MS)
  timer.unref()
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    delay.disable()
    done()
  })
  return () => lateSamples >= LATE_SAMPLES || waiting() > MOST_WAITING
}
