import { AsyncLocalStorage } from 'node:async_hooks'
import type { MonotonicClock, TimeOfDay } from '../clocks.ts'
import type { TraceContext } from './trace-context.ts'

/** What may stand in a trace: words and numbers of ours. Never a card, a token, a key, or a whole address. */
type Attributes = Readonly<Record<string, string | number>>

/** Work for a caller, or a call of somebody else's server. */
type SpanKind = 'server' | 'client'

/** A piece of work that has ended. Times are in ms since 1970, by the database's clock. */
export interface EndedSpan extends TraceContext {
  parentSpanId: string | null
  kind: SpanKind
  name: string
  beganAt: number
  endedAt: number
  attributes: Attributes
  hasFailed: boolean
}

/** A piece of work that is under way. */
export interface Span {
  context: TraceContext
  add: (attributes: Attributes) => void
  end: (outcome?: { hasFailed: boolean }) => void
}

export interface Tracer {
  /** Begins a span: a part of `parent`, else of the work that it is begun in, else of nothing. */
  begin: (kind: SpanKind, name: string, parent?: TraceContext | null) => Span
  /** Does `work` as a part of a span: what is begun in it belongs to that. */
  within: <Result>(span: Span, work: () => Result) => Result
}

interface Parts {
  timeOfDay: TimeOfDay
  clock: MonotonicClock
  /** So many random bytes in hex. */
  randomHex: (bytes: number) => string
  /** Which share of the traces that begin here is recorded, and of those that callers record; 0 to 1. */
  share: number
  onEnd: (span: EndedSpan) => void
}

export function createTracer({ timeOfDay, clock, randomHex, share, onEnd }: Parts): Tracer {
  const current = new AsyncLocalStorage<TraceContext>()
  return {
    begin(kind, name, parent = current.getStore() ?? null) {
      const traceId = parent?.traceId ?? randomHex(16)
      const isSampled = (parent?.isSampled ?? true) && isInShare(traceId, share)
      const context = { traceId, spanId: randomHex(8), isSampled }
      const beganAt = timeOfDay.epochMs()
      const beganMs = clock.elapsedMs()
      let attributes: Attributes = {}
      return {
        context,
        add(more) {
          attributes = { ...attributes, ...more }
        },
        end({ hasFailed } = { hasFailed: false }) {
          if (!isSampled) return
          const endedAt = beganAt + clock.elapsedMs() - beganMs
          const parentSpanId = parent?.spanId ?? null
          onEnd({ ...context, parentSpanId, kind, name, beganAt, endedAt, attributes, hasFailed })
        },
      }
    },
    within: (span, work) => current.run(span.context, work),
  }
}

/** By the trace's id, so that every server of a trace decides alike. */
function isInShare(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) < share * 0x1_0000_0000
}
