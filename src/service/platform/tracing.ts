import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SendRequest } from './outbound/http-client.ts'
import { codeOf } from './outbound/no-answer.ts'
import type { MonotonicClock, TimeOfDay } from './clocks.ts'

/** What may stand in a trace: words and numbers of ours. Never a card, a token, a key, or a whole address. */
type Attributes = Readonly<Record<string, string | number>>

/** Work for a caller, or a call of somebody else's server. */
export type SpanKind = 'server' | 'client'

/** The headers of a request, of which `traceparent` and `tracestate` say where its caller's work stands in a trace. */
export type CallerHeaders = Readonly<Record<string, string | string[] | undefined>>

/** A piece of work that is under way. */
export interface Span {
  /** The headers by which another server goes on with the trace. */
  headers: () => Readonly<Record<string, string>>
  /** Does `work` as a part of this: what is begun in it belongs to it. */
  within: <Result>(work: () => Result) => Result
  add: (attributes: Attributes) => void
  end: (outcome?: { hasFailed: boolean }) => void
}

export interface Tracer {
  /** Begins a span: a part of the caller's work, of nothing when that is null, else of the work that it is begun in. */
  begin: (kind: SpanKind, name: string, caller?: CallerHeaders | null) => Span
}

/** An OpenTelemetry collector that takes OTLP over HTTP. */
export interface CollectorSettings {
  /** With its path. */
  url: string
  protocol: 'http/protobuf' | 'http/json'
  headers: Readonly<Record<string, string>>
  /** How long an export may take, with its repetitions, in ms. */
  timeoutMs: number
}

/** How spans that have ended wait to be sent. */
export interface BatchSettings {
  /** How long the first of them waits at most, in ms. */
  everyMs: number
  /** The most that wait; further ones are dropped. */
  maxWaiting: number
  /** The most that are sent at once. */
  maxAtOnce: number
}

/** The samplers of the OpenTelemetry standard. */
export type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio'

/** Which traces are recorded. */
interface SamplerSettings {
  /** Undefined: `share` holds for traces that begin here and for those that callers record. */
  name: SamplerName | undefined
  /** 0 to 1. */
  share: number
}

/** What is traced, and where it is sent to. */
export interface TracingSettings {
  /** Null: spans are lines of the log. */
  collector: CollectorSettings | null
  /** Of the service, beside its version: `service.name` among them. */
  resource: Readonly<Record<string, string>>
  sampler: SamplerSettings
  batches: BatchSettings
}

/** What tracing is started with. */
export interface TracingParts {
  settings: TracingSettings
  /** Of the service. */
  version: string
  log: Record<'info' | 'warn', (facts: object, words: string) => void>
  clock: MonotonicClock
  timeOfDay: TimeOfDay
}

/** The thing that an answer shows, such as a charge: webhooks about it have the same id in their spans. */
const RESOURCE_ID = /"data":\{"_?id":"([\da-f]{24})"/

/**
 * Each request is a span, by its route and never by its path, which may hold more than a name. It goes on with the trace of a
 * caller that sends `traceparent`.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request
    if (routeOptions.config.isRoutine !== true) {
      const name = `${method} ${routeOptions.url ?? 'none'}`
      spans.set(request, tracer.begin('server', name, headers))
    }
    done()
  })
  // Runs after the body was read: before that, asynchronous context belongs to the connection, not to the request.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span === undefined) done()
    else span.within(done)
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    const [, id] = (typeof payload === 'string' ? RESOURCE_ID.exec(payload) : null) ?? []
    if (id !== undefined) spans.get(request)?.add({ 'svc.resource_id': id })
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.add({
      'http.request.method': request.method,
      'http.route': request.routeOptions.url ?? 'none',
      'http.response.status_code': reply.statusCode,
      'svc.request_id': request.id,
    })
    span?.end({ hasFailed: reply.statusCode >= 500 })
    done()
  })
}

/** The same, with a span for each request, whose server gets the `traceparent` and what other systems added to it. Only the host of an address is kept. */
export function tracedSend(tracer: Tracer | null, send: SendRequest): SendRequest {
  if (tracer === null) return send
  return async (outbound) => {
    const method = outbound.method ?? 'POST'
    const span = tracer.begin('client', method)
    span.add({ 'http.request.method': method, 'server.address': hostOf(outbound.url) })
    const headers = { ...outbound.headers, ...span.headers() }
    try {
      const answer = await send({ ...outbound, headers })
      span.add({ 'http.response.status_code': answer.status })
      span.end({ hasFailed: answer.status >= 400 })
      return answer
    } catch (error) {
      span.add({ 'error.type': codeOf(error) })
      span.end({ hasFailed: true })
      throw error
    }
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}
