import { secretIn } from '../secrets/secret-in-text.ts'

/** Where a piece of work stands in a trace (https://www.w3.org/TR/trace-context/). */
export interface TraceContext {
  /** 32 hex digits. */
  traceId: string
  /** 16 hex digits. */
  spanId: string
  /** Whether it is recorded. */
  isSampled: boolean
}

const FORM =
  /^(?<version>(?!ff)[\da-f]{2})-(?<traceId>[\da-f]{32})-(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})(?<more>-.*)?$/
const SAMPLED = 1

/** What the header `traceparent` says; null for none, for one that is not well formed, and for one with a secret as its trace. */
export function parseTraceparent(header: unknown): TraceContext | null {
  const parts = typeof header === 'string' ? FORM.exec(header)?.groups : undefined
  const { version = '', traceId = '', spanId = '', flags = '', more } = parts ?? {}
  // Later versions may say more behind the flags, this one may not; zeros alone are no id.
  const isWhole = more === undefined || version !== '00'
  if (!isWhole || !isTraceId(traceId) || !/[^0]/.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED }
}

/** A one-time token without its hyphens looks like one, and would be sent on to whoever keeps the traces. */
function isTraceId(id: string): boolean {
  return /[^0]/.test(id) && secretIn(id) === null
}

/** The header by which another server goes on with the trace. */
export function traceparentOf({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}
