import { randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { MonotonicClock, TimeOfDay } from '../clocks.ts'
import type { Job } from '../jobs/repeat.ts'
import { createHttpClient } from '../outbound/http-client.ts'
import { createSpanExporter } from './span-exporter.ts'
import { createTracer } from './tracer.ts'
import type { Tracer } from './tracer.ts'

interface Parts {
  config: Pick<Config, 'tracing'>
  log: { warn: (facts: object, words: string) => void }
  clock: MonotonicClock
  timeOfDay: TimeOfDay
}

const TIMEOUT_MS = 5000
const MAX_ANSWER_BYTES = 65_536

/** Traces of what this process does, and the job that sends them; null where no collector is set, and then nothing is done. */
export function startTracing({ config, log, clock, timeOfDay }: Parts): { tracer: Tracer; job: Job } | null {
  if (config.tracing === null) return null
  const send = createHttpClient({
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
    wants: 'status',
    idleMs: 0,
  })
  const onFault = (error: unknown) => log.warn({ err: error }, 'traces could not be sent')
  const exporter = createSpanExporter({ settings: config.tracing, send, onFault })
  const { share } = config.tracing
  const randomHex = (bytes: number) => randomBytes(bytes).toString('hex')
  const tracer = createTracer({ timeOfDay, clock, randomHex, share, onEnd: exporter.add })
  return { tracer, job: exporter.job }
}
