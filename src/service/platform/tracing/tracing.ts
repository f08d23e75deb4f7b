import { randomBytes } from 'node:crypto'
import type { Job } from '../jobs/repeat.ts'
import { createHttpClient } from '../outbound/http-client.ts'
import type { Resources } from '../platform.ts'
import { createSpanExporter } from './span-exporter.ts'
import { createTracer } from './tracer.ts'
import type { Tracer } from './tracer.ts'

const TIMEOUT_MS = 5000
const MOST_ANSWER_BYTES = 65_536

/** Traces of what this process does, and the job that sends them; null where no collector is set, and then nothing is done. */
export function startTracing(resources: Resources): { tracer: Tracer; job: Job } | null {
  const { config, log, clock, timeOfDay } = resources
  if (config.tracing === null) return null
  const send = createHttpClient({
    timeoutMs: TIMEOUT_MS,
    mostBytes: MOST_ANSWER_BYTES,
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
