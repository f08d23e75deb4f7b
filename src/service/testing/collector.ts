import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { parse } from 'protobufjs'
import * as v from 'valibot'

/** The part of OTLP's messages that traces use (https://github.com/open-telemetry/opentelemetry-proto, v1). */
const MESSAGES = parse(`
  syntax = "proto3";
  message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
  message Scope { string name = 1; string version = 2; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
  message Status { string message = 2; int32 code = 3; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4;
    string name = 5; int32 kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9; Status status = 15;
  }
`).root.lookupType('ExportTraceServiceRequest')

const Value = v.union([
  v.pipe(
    v.object({ stringValue: v.string() }),
    v.transform(({ stringValue }) => stringValue),
  ),
  v.pipe(
    v.object({ intValue: v.union([v.string(), v.number()]) }),
    v.transform(({ intValue }) => Number(intValue)),
  ),
])
const Attributes = v.pipe(
  v.optional(v.array(v.object({ key: v.string(), value: Value })), []),
  v.transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, value]))),
)
/** Hex in JSON, bytes in protobuf. */
const id = v.optional(
  v.union([
    v.string(),
    v.pipe(
      v.instance(Uint8Array),
      v.transform((bytes) => Buffer.from(bytes).toString('hex')),
    ),
  ]),
  '',
)
const Nanoseconds = v.pipe(v.string(), v.regex(/^\d{19}$/))
const Span = v.object({
  traceId: v.pipe(id, v.regex(/^[\da-f]{32}$/)),
  spanId: v.pipe(id, v.regex(/^[\da-f]{16}$/)),
  parentSpanId: v.pipe(id, v.regex(/^(?:[\da-f]{16})?$/)),
  traceState: v.optional(v.string(), ''),
  name: v.string(),
  kind: v.number(),
  startTimeUnixNano: Nanoseconds,
  endTimeUnixNano: Nanoseconds,
  attributes: Attributes,
  status: v.optional(v.object({ code: v.optional(v.number(), 0) }), {}),
})
const Export = v.object({
  resourceSpans: v.array(
    v.object({
      resource: v.object({ attributes: Attributes }),
      scopeSpans: v.array(v.object({ spans: v.array(Span) })),
    }),
  ),
})

/** A span as a collector got it. */
export type ReceivedSpan = v.InferOutput<typeof Span>

/** An OpenTelemetry collector as far as traces over HTTP go. */
export interface Collector {
  url: string
  /** Each export, in the order in which they came. */
  received: { path: string; headers: Record<string, unknown>; body: Buffer }[]
  spans: () => ReceivedSpan[]
  /** Of each export: what its spans are of, and how many there are. */
  exports: () => { resource: Record<string, string | number>; count: number }[]
  /** The statuses of the next answers; 200 when there is none. */
  answerNext: (...statuses: number[]) => void
  close: () => Promise<unknown>
}

export async function startCollector(): Promise<Collector> {
  const received: Collector['received'] = []
  const statuses: number[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      received.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(statuses.shift() ?? 200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = v.parse(v.object({ port: v.number() }), server.address())
  const all = () => received.flatMap(({ headers, body }) => exportIn(headers, body).resourceSpans)
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    spans: () => all().flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)),
    exports: () =>
      all().map(({ resource, scopeSpans }) => ({
        resource: resource.attributes,
        count: scopeSpans.reduce((sum, { spans }) => sum + spans.length, 0),
      })),
    answerNext: (...next) => statuses.push(...next),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

function exportIn(headers: Record<string, unknown>, body: Buffer): v.InferOutput<typeof Export> {
  if (headers['content-type'] === 'application/json') return v.parse(Export, JSON.parse(body.toString()))
  if (headers['content-type'] !== 'application/x-protobuf') throw new Error('this is no OTLP')
  const decoded = MESSAGES.toObject(MESSAGES.decode(body), { longs: String })
  return v.parse(Export, decoded)
}
