import { AsyncLocalStorage } from 'node:async_hooks'
import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { Context, Tracer as SdkTracer } from '@opentelemetry/api'
import { W3CTraceContextPropagator, ExportResultCode } from '@opentelemetry/core'
import type { ExportResult } from '@opentelemetry/core'
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base'
import { createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http'
import {
  JsonTraceSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Sampler, ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { TracingSettings, CollectorSettings, TracingParts } from './tracing.ts'
import type { MonotonicClock, TimeOfDay } from './clocks.ts'
import { inTime } from './in-time.ts'
import { sensitiveIn } from './secrets/secret-in-text.ts'
import type { Tracer, CallerHeaders, SpanKind } from './tracing.ts'

/** Exporters end by times of their own. */
const LONGEST_MS = 2 ** 31 - 1
/** How long the end of the process waits for the last spans to be sent, in ms. */
const STOP_MS = 3000

/**
 * Traces of what this process does, by OpenTelemetry's SDK. This file and what it imports are loaded only where something is traced.
 * `stop` sends what is left, for three seconds at most.
 */
export function startTracing({ settings, version, log, clock, timeOfDay }: TracingParts): {
  tracer: Tracer
  stop: () => Promise<void>
} {
  const { collector, batches, resource } = settings
  const { everyMs, maxWaiting, maxAtOnce } = batches
  const onFault = (cause: string | number) => log.warn({ cause }, 'traces could not be sent')
  // At the end all that waits is sent at once, beside one export that is under way.
  const maxUnderWay = Math.ceil(maxWaiting / maxAtOnce) + 1
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.version': version, ...resource })),
    sampler: samplerOf(settings.sampler),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter:
          collector === null ? logExporter(log) : collectorExporter({ collector, maxUnderWay, onFault }),
        scheduledDelayMillis: everyMs,
        maxQueueSize: maxWaiting,
        maxExportBatchSize: maxAtOnce,
        exportTimeoutMillis: LONGEST_MS,
      }),
    ],
  })
  return {
    tracer: createTracer(provider.getTracer('svc'), { timeOfDay, clock }),
    stop: () => inTime(provider.shutdown(), STOP_MS, () => undefined).catch(() => undefined),
  }
}

/** The samplers of the standard; without a name one share holds for all traces, those of callers among them. */
function samplerOf({ name, share }: TracingSettings['sampler']): Sampler {
  const ofShare = new TraceIdRatioBasedSampler(share)
  switch (name) {
    case undefined:
      return new ParentBasedSampler({ root: ofShare, remoteParentSampled: ofShare })
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return ofShare
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: ofShare })
  }
}

const KINDS: Readonly<Record<SpanKind, Kind>> = { server: Kind.SERVER, client: Kind.CLIENT }
const FAILED = { code: SpanStatusCode.ERROR }
const propagator = new W3CTraceContextPropagator()

/** Spans by OpenTelemetry's SDK, with times by the database's clock. */
export function createTracer(
  sdk: SdkTracer,
  { timeOfDay, clock }: { timeOfDay: TimeOfDay; clock: MonotonicClock },
): Tracer {
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

/** How much longer than its time an export may take before it is given up, in ms: by itself it ends at pauses of the collector alone. */
const MARGIN_MS = 500
/** The most that is read of a collector on one connection, interim answers and headers among it. */
const MAX_HEARD_BYTES = 65_536

interface ExporterOptions {
  collector: CollectorSettings
  /** The most exports that may be under way. */
  maxUnderWay: number
  /** Called with the first of several faults in a row: the system's code, an HTTP status, or words. */
  onFault: (cause: string | number) => void
}

/**
 * Sends spans to a collector as OTLP, with the SDK's retries. Each export ends in time, whatever the collector does. Only the status of its
 * answer is read: the body costs time to parse and may echo the spans.
 */
function collectorExporter({ collector, maxUnderWay, onFault }: ExporterOptions): SpanExporter {
  const agent = hearingLittle(collector.url.startsWith('https:') ? new TlsAgent() : new Agent())
  const begin = () => otlpExporter(collector, agent, maxUnderWay)
  let otlp = begin()
  let isFailing = false
  const giveUp = () => {
    agent.destroy()
    // Some ends of a connection it never hears of, and then counts the export as under way for ever.
    otlp = begin()
    return { code: ExportResultCode.FAILED, error: new Error('TIMED_OUT') }
  }
  const send = (spans: ReadableSpan[]) =>
    inTime(
      new Promise<ExportResult>((resolve) => otlp.export(spans, resolve)),
      collector.timeoutMs + MARGIN_MS,
      giveUp,
    )
  return {
    export(spans, done) {
      void send(spans).then(({ code, error }) => {
        const hasFailed = code !== ExportResultCode.SUCCESS
        if (hasFailed && !isFailing) onFault(causeOf(error))
        isFailing = hasFailed
        done({ code })
      })
    },
    shutdown: () => otlp.shutdown(),
  }
}

function otlpExporter(
  { url, protocol, headers, timeoutMs }: CollectorSettings,
  agent: Agent,
  maxUnderWay: number,
): OTLPExporterBase<ReadableSpan[]> {
  const isJson = protocol === 'http/json'
  const serializer = isJson ? JsonTraceSerializer : ProtobufTraceSerializer
  const type = isJson ? 'application/json' : 'application/x-protobuf'
  return new OTLPExporterBase(
    createOtlpHttpExportDelegate(
      {
        url,
        headers: () => Promise.resolve({ ...headers, 'content-type': type }),
        timeoutMillis: timeoutMs,
        compression: 'none',
        concurrencyLimit: maxUnderWay,
        agentFactory: () => agent,
      },
      { ...serializer, deserializeResponse: () => ({}) },
      'otlp_http_span_exporter',
      TraceExporterMetricsHelper,
      undefined,
    ),
  )
}

/** The same agent, whose connections are closed when their server says too much. */
function hearingLittle(agent: Agent): Agent {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (...parameters) => {
    const connection = connect(...parameters)
    let heard = 0
    connection?.on('data', (bytes: Buffer) => {
      heard += bytes.length
      if (heard > MAX_HEARD_BYTES) connection.destroy()
    })
    return connection
  }
  return agent
}

/** Of what a collector said the status alone. */
function causeOf(error: Error | undefined): string | number {
  const code = error !== undefined && 'code' in error ? error.code : undefined
  if (typeof code === 'string' || typeof code === 'number') return code
  return error?.message ?? 'unknown'
}

/** Writes spans to the log, for operators without a collector. */
function logExporter(log: { info: (facts: object, words: string) => void }): SpanExporter {
  return {
    export(spans, done) {
      for (const span of spans) log.info({ span: factsOf(span) }, 'span')
      done({ code: ExportResultCode.SUCCESS })
    },
    shutdown: () => Promise.resolve(),
  }
}

const KIND_NAMES = ['internal', 'server', 'client']

function factsOf(span: ReadableSpan): object {
  const { traceId, spanId } = span.spanContext()
  const [seconds, nanoseconds] = span.duration
  return {
    trace_id: traceId,
    span_id: spanId,
    parent_span_id: span.parentSpanContext?.spanId,
    name: span.name,
    kind: KIND_NAMES[span.kind],
    ms: seconds * 1000 + nanoseconds / 1_000_000,
    has_failed: span.status.code === SpanStatusCode.ERROR,
    attributes: span.attributes,
  }
}
