import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { SpanStatusCode } from '@opentelemetry/api'
import { ExportResultCode } from '@opentelemetry/core'
import type { ExportResult } from '@opentelemetry/core'
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base'
import { createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http'
import {
  JsonTraceSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import { inTime } from '../in-time.ts'
import type { CollectorSettings } from '../../settings/tracing-settings.ts'

/** How much longer than its time an export may take before it is given up, in ms: by itself it ends at pauses of the collector alone. */
const MARGIN_MS = 500
/** The most that is read of a collector on one connection, interim answers and headers among it. */
const MAX_HEARD_BYTES = 65_536

interface Parts {
  collector: CollectorSettings
  /** The most exports that may be under way. */
  maxUnderWay: number
  /** Called with the first of several faults in a row: the system's code, an HTTP status, or words. */
  onFault: (cause: string | number) => void
}

/**
 * Sends spans to a collector as OTLP, with the SDK's repetitions. Each export ends by its time, whatever the collector does. Of its
 * answer the status counts alone: to understand the rest would cost time, and it may repeat what the collector was sent.
 */
export function collectorExporter({ collector, maxUnderWay, onFault }: Parts): SpanExporter {
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

/** Writes spans to the log, for who has no collector at hand. */
export function logExporter(log: { info: (facts: object, words: string) => void }): SpanExporter {
  return {
    export(spans, done) {
      for (const span of spans) log.info({ span: factsOf(span) }, 'span')
      done({ code: ExportResultCode.SUCCESS })
    },
    shutdown: () => Promise.resolve(),
  }
}

const KINDS = ['internal', 'server', 'client']

function factsOf(span: ReadableSpan): object {
  const { traceId, spanId } = span.spanContext()
  const [seconds, nanoseconds] = span.duration
  return {
    trace_id: traceId,
    span_id: spanId,
    parent_span_id: span.parentSpanContext?.spanId,
    name: span.name,
    kind: KINDS[span.kind],
    ms: seconds * 1000 + nanoseconds / 1_000_000,
    has_failed: span.status.code === SpanStatusCode.ERROR,
    attributes: span.attributes,
  }
}
