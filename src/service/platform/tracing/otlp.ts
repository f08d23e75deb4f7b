import type { EndedSpan } from './tracer.ts'

const KINDS = { server: 2, client: 3 }
const FAILED = 2

/** Spans as OTLP's JSON (https://opentelemetry.io/docs/specs/otlp/#otlphttp), with the name of the service that made them. */
export function toOtlp(serviceName: string, spans: readonly EndedSpan[]): object {
  const resource = { attributes: toAttributes({ 'service.name': serviceName }) }
  const scopeSpans = [{ scope: { name: 'svc' }, spans: spans.map(toSpan) }]
  return { resourceSpans: [{ resource, scopeSpans }] }
}

function toSpan(span: EndedSpan): object {
  const { traceId, spanId, parentSpanId, name, kind, beganAt, endedAt, attributes, hasFailed } = span
  return {
    traceId,
    spanId,
    ...(parentSpanId !== null && { parentSpanId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: toNanoseconds(beganAt),
    endTimeUnixNano: toNanoseconds(endedAt),
    attributes: toAttributes(attributes),
    ...(hasFailed && { status: { code: FAILED } }),
  }
}

/** Sixty-four bits are a text in OTLP's JSON. */
function toNanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n)
}

function toAttributes(attributes: EndedSpan['attributes']): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
}
