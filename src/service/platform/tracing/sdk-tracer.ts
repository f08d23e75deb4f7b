import { AsyncLocalStorage } from 'node:async_hooks'
import { defaultTextMapGetter, defaultTextMapSetter, ROOT_CONTEXT } from '@opentelemetry/api'
import { SpanKind as Kind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Context, Tracer as SdkTracer } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { MonotonicClock, TimeOfDay } from '../clocks.ts'
import { sensitiveIn } from '../secrets/sensitive-text.ts'
import type { CallerHeaders, SpanKind, Tracer } from './tracer.ts'

const KINDS: Readonly<Record<SpanKind, Kind>> = { server: Kind.SERVER, client: Kind.CLIENT }
const FAILED = { code: SpanStatusCode.ERROR }
const propagator = new W3CTraceContextPropagator()

interface Parts {
  sdk: SdkTracer
  timeOfDay: TimeOfDay
  clock: MonotonicClock
}

/** Spans by OpenTelemetry's SDK, with times by the database's clock. */
export function createTracer({ sdk, timeOfDay, clock }: Parts): Tracer {
  const current = new AsyncLocalStorage<Context>()
  return {
    begin(kind, name, caller) {
      const around = caller === undefined ? (current.getStore() ?? ROOT_CONTEXT) : callerContext(caller)
      const startTime = timeOfDay.epochMs()
      const beganMs = clock.elapsedMs()
      const span = sdk.startSpan(name, { kind: KINDS[kind], startTime }, around)
      const context = trace.setSpan(around, span)
      return {
        headers() {
          const headers: Record<string, string> = {}
          propagator.inject(context, headers, defaultTextMapSetter)
          return headers
        },
        within: (work) => current.run(context, work),
        add: (attributes) => span.setAttributes(attributes),
        end({ hasFailed } = { hasFailed: false }) {
          if (hasFailed) span.setStatus(FAILED)
          span.end(startTime + clock.elapsedMs() - beganMs)
        },
      }
    },
  }
}

/**
 * Where a caller's work stands in a trace, by W3C's Trace Context: nowhere if one of its ids is a secret or a card's number, as a
 * one-time token without hyphens looks like a trace's id. What other systems added is left out if it holds such a thing. Both would be
 * sent on.
 */
function callerContext(caller: CallerHeaders | null): Context {
  if (caller === null || typeof caller['traceparent'] !== 'string') return ROOT_CONTEXT
  const context = propagator.extract(ROOT_CONTEXT, caller, defaultTextMapGetter)
  const told = trace.getSpanContext(context)
  if (told === undefined || [told.traceId, told.spanId].some(isSensitiveId)) return ROOT_CONTEXT
  const { traceState, ...ids } = told
  const isClean = traceState === undefined || sensitiveIn(traceState.serialize()) === null
  return isClean ? context : trace.setSpanContext(ROOT_CONTEXT, ids)
}

/** Shorter ids are written with zeros before them. */
function isSensitiveId(id: string): boolean {
  return (sensitiveIn(id) ?? sensitiveIn(id.replace(/^0+/, ''))) !== null
}
