import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { ReadableSpan, Sampler } from '@opentelemetry/sdk-trace'
import { createTracer } from '../platform/tracing-sdk.ts'
import type { Tracer } from '../platform/tracing.ts'

/** When each span begins, in ms since 1970; each takes five. */
export const BEGINS_AT = 1_800_000_000_000

/** A tracer of the SDK, and the spans that it made so far. */
export function tracedInMemory(sampler?: Sampler): { tracer: Tracer; spans: () => ReadableSpan[] } {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
    ...(sampler !== undefined && { sampler }),
  })
  let number = 0
  const tracer = createTracer(provider.getTracer('test'), {
    timeOfDay: { epochMs: () => BEGINS_AT },
    clock: { elapsedMs: () => (number += 5) },
  })
  return { tracer, spans: () => exporter.getFinishedSpans() }
}
