import type { Job } from '../jobs/repeat.ts'
import type { SendRequest } from '../outbound/http-client.ts'
import { toOtlp } from './otlp.ts'
import type { EndedSpan } from './tracer.ts'
import type { TracingSettings } from '../../settings/tracing-settings.ts'

/** The most spans that are kept; beyond it the oldest are dropped, as a collector that is down must not cost memory. */
const MAX_WAITING = 4096
const MAX_AT_ONCE = 512
const EVERY_MS = 2000

interface Parts {
  settings: TracingSettings
  send: SendRequest
  /** Called with the first of several faults in a row. */
  onFault: (error: unknown) => void
}

/** Sends spans to a collector, some at a time, in the background. */
export interface SpanExporter {
  add: (span: EndedSpan) => void
  job: Job
}

export function createSpanExporter({ settings, send, onFault }: Parts): SpanExporter {
  const waiting: EndedSpan[] = []
  let isFailing = false
  const sendSome = async (spans: readonly EndedSpan[]) => {
    const body = JSON.stringify(toOtlp(settings.serviceName, spans))
    const { status } = await send({ url: settings.url, headers: settings.headers, body })
    if (status >= 300) throw new Error(`the collector of traces said ${status}`)
  }
  const flush = async () => {
    while (waiting.length > 0) {
      try {
        await sendSome(waiting.splice(0, MAX_AT_ONCE))
        isFailing = false
      } catch (error) {
        if (!isFailing) onFault(error)
        isFailing = true
        return
      }
    }
  }
  return {
    add(span) {
      waiting.push(span)
      if (waiting.length > MAX_WAITING) waiting.shift()
    },
    job: { name: 'send traces', everyMs: EVERY_MS, work: flush, finish: flush },
  }
}
