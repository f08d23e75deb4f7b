import { SpanStatusCode } from '@opentelemetry/api'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startCollector } from '../testing/collector.ts'
import type { Collector, ReceivedSpan } from '../testing/collector.ts'
import { startHostileServer } from '../testing/hostile-servers.ts'
import { testCard } from '../testing/test-card.ts'
import { createTestService } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../testing/webhook-receiver.ts'
import type { OutboundRequest } from './outbound/http-client.ts'
import { NoAnswer } from './outbound/no-answer.ts'
import { tracedSend } from './tracing.ts'
import { BEGINS_AT, tracedInMemory } from '../testing/traced-in-memory.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const SOON = { OTEL_BSP_SCHEDULE_DELAY: '20' }

const sell = (service: TestService, token: string, headers: Record<string, string>) =>
  service.raw({
    method: 'POST',
    url: '/v1/charges?capture=false',
    headers: { 'x-user-secret-key': service.merchant.secretKey, ...headers },
    payload: { amount: '10.00', currency: 'AUD', token },
  })
const traceOf = (collector: Collector, traceId: string) =>
  collector.spans().filter((span) => span.traceId === traceId)
/** The spans of a trace, once there are so many. */
const spansOf = (collector: Collector, traceId: string, count: number): Promise<ReceivedSpan[]> =>
  vi.waitFor(() => {
    const spans = traceOf(collector, traceId)
    expect(spans).toHaveLength(count)
    return spans
  })

describe.each([
  ['http/protobuf', 'application/x-protobuf'],
  ['http/json', 'application/json'],
])('traces by %s', (protocol, type) => {
  let collector: Collector
  let service: TestService
  beforeAll(async () => {
    collector = await startCollector()
    service = await createTestService({
      settings: {
        ...SOON,
        OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=lab,service.namespace=a%20b',
      },
    })
  })
  afterAll(async () => {
    await service.close()
    await collector.close()
  })

  it('go from a caller through the request to the gateway', async () => {
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, tracestate: 'rojo=1,congo=2' }
    await sell(service, await service.tokenise(), headers)
    const spans = await spansOf(collector, TRACE, 2)
    const [request, gateway] = spans.sort((one, other) => one.kind - other.kind)
    expect(request).toMatchObject({ name: 'POST /v1/charges', kind: 2, parentSpanId: CALLER })
    expect(gateway).toMatchObject({ name: 'gateway authorisation', kind: 3, parentSpanId: request?.spanId })
    expect(request?.attributes).toMatchObject({ 'http.response.status_code': 201 })
    expect(gateway?.attributes).toMatchObject({ 'svc.outcome': 'approved' })
    expect(spans.map(({ traceState }) => traceState)).toEqual(['rojo=1,congo=2', 'rojo=1,congo=2'])
    expect(Math.abs(Number(request?.startTimeUnixNano) / 1e6 - Date.now())).toBeLessThan(60_000)
  })

  it('come with the name of the service, its version and what the operator adds', () => {
    const [received] = collector.received
    expect(received).toMatchObject({ path: '/v1/traces', headers: { 'content-type': type } })
    expect(received?.headers['authorization']).toBe('Bearer of-the-collector')
    expect(collector.exports()[0]?.resource).toMatchObject({
      'service.name': 'card-service',
      'service.version': '1.0.0',
      'service.namespace': 'a b',
      'deployment.environment.name': 'lab',
      'telemetry.sdk.name': 'opentelemetry',
    })
  })

  it('go on at the server of a webhook, and name the charge that it is about', async () => {
    const receiver = await createWebhookReceiver()
    await makeWebhook(service, { url: receiver.url })
    const { _id } = await service.authorise()
    await sendWebhooks(service)
    await receiver.close()
    const message = receiver.received.find(({ body }) => body.includes(_id))
    const [, traceId = '', sender] =
      /^00-([\da-f]{32})-([\da-f]{16})-01$/.exec(String(message?.headers['traceparent'])) ?? []
    const spans = await spansOf(collector, traceId, 2)
    const delivery = spans.find(({ name }) => name === 'webhook charge.authorised')
    expect(delivery).toMatchObject({ parentSpanId: '', attributes: { 'svc.resource_id': _id } })
    expect(spans.find(({ spanId }) => spanId === sender)).toMatchObject({
      name: 'POST',
      parentSpanId: delivery?.spanId,
    })
    const requests = collector.spans().filter(({ name }) => name === 'POST /v1/charges')
    expect(requests.map(({ attributes }) => attributes['svc.resource_id'])).toContain(_id)
  })

  it('of a caller that records none are not recorded', async () => {
    const [unrecorded, recorded] = ['1'.repeat(32), '2'.repeat(32)]
    for (const [traceId, flags] of [
      [unrecorded, '00'],
      [recorded, '01'],
    ])
      await sell(service, await service.tokenise(), { traceparent: `00-${traceId}-${CALLER}-${flags}` })
    await spansOf(collector, recorded, 2)
    expect(traceOf(collector, unrecorded)).toEqual([])
  })

  it('hold no card, token or key, whatever a caller adds', async () => {
    const token = await service.tokenise()
    const traceId = '3'.repeat(32)
    await sell(service, token, {
      traceparent: `00-${traceId}-${CALLER}-01`,
      tracestate: `shop=${service.merchant.secretKey}`,
    })
    await spansOf(collector, traceId, 2)
    const sent = collector.received.map(({ body }) => body.toString('latin1')).join('\n')
    expect(sent).toContain('POST /v1/payment_sources/tokens')
    const { publicKey, secretKey } = service.merchant
    const secrets = [testCard.card_number, testCard.card_name, token, publicKey, secretKey]
    for (const secret of [...secrets, 'of-the-collector']) expect(sent).not.toContain(secret)
    expect(service.logged()).not.toContain('of-the-collector')
  })
})

describe('spans', () => {
  it('are sent in batches, of the size that is set', async () => {
    const collector = await startCollector()
    const service = await createTestService({
      settings: {
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/somewhere`,
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '4',
      },
    })
    for (let count = 0; count < 10; count += 1) await service.raw({ url: '/v1/charges' })
    await service.close()
    const counts = collector.exports().map(({ count }) => count)
    expect(Math.max(...counts)).toBe(4)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(10)
    expect(new Set(collector.received.map(({ path }) => path))).toEqual(new Set(['/somewhere']))
    await collector.close()
  })

  it('are lines of the log where that is asked for', async () => {
    const service = await createTestService({ settings: { OTEL_TRACES_EXPORTER: 'console', ...SOON } })
    await sell(service, await service.tokenise(), { traceparent: `00-${TRACE}-${CALLER}-01` })
    await service.close()
    const lines = service.logged().split('\n')
    const line = lines.find((one) => one.includes('"name":"POST /v1/charges"'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      level: 30,
      span: { trace_id: TRACE, parent_span_id: CALLER, kind: 'server', has_failed: false },
    })
  })

  it.each([
    ['always_off', []],
    ['parentbased_always_off', [TRACE]],
    ['traceidratio', []],
  ])('are recorded as OTEL_TRACES_SAMPLER=%s says', async (sampler, traces) => {
    const collector = await startCollector()
    const service = await createTestService({
      settings: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_TRACES_SAMPLER: sampler,
        OTEL_TRACES_SAMPLER_ARG: '0',
      },
    })
    await service.raw({ url: '/v1/charges', headers: { traceparent: `00-${TRACE}-${CALLER}-01` } })
    await service.raw({ url: '/v1/charges' })
    await service.close()
    expect(collector.spans().map(({ traceId }) => traceId)).toEqual(traces)
    await collector.close()
  })

  it('of callers that record are recorded by the share too, where no sampler is named', async () => {
    const collector = await startCollector()
    const service = await createTestService({
      settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '0' },
    })
    await service.raw({ url: '/v1/charges', headers: { traceparent: `00-${TRACE}-${CALLER}-01` } })
    await service.close()
    expect(collector.received).toEqual([])
    await collector.close()
  })
})

describe('a collector that never answers', () => {
  it('keeps no charge waiting', async () => {
    const collector = await startHostileServer('never answers')
    const service = await createTestService({
      settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...SOON },
    })
    await service.raw({ url: '/v1/charges' })
    await vi.waitFor(() => expect(collector.connections().open).toBe(1))
    const answer = await sell(service, await service.tokenise(), {})
    expect([answer.statusCode, collector.connections()]).toEqual([201, { made: 1, open: 1 }])
    await service.close()
    await collector.close()
  })
})

function traced(answer: () => Promise<{ status: number; headers: object; body: string }>) {
  const sent: OutboundRequest[] = []
  const { tracer, spans } = tracedInMemory()
  const send = tracedSend(tracer, (request) => {
    sent.push(request)
    return answer().then((one) => ({ ...one, headers: {} }))
  })
  return { send, sent, spans, tracer }
}
const request = {
  url: 'https://gateway.example/v1/payments/secret?key=k',
  headers: { 'x-api-key': 'k' },
  body: '{}',
}
const answered = () => Promise.resolve({ status: 201, headers: {}, body: '' })

it('tells the server of the trace, and keeps of its address the host alone', async () => {
  const { send, sent, spans } = traced(answered)
  await send(request)
  const [span] = spans()
  const { traceId = '', spanId = '' } = span?.spanContext() ?? {}
  expect(sent[0]?.headers).toEqual({ 'x-api-key': 'k', traceparent: `00-${traceId}-${spanId}-01` })
  expect(span).toMatchObject({
    name: 'POST',
    startTime: [BEGINS_AT / 1000, 0],
    status: { code: SpanStatusCode.UNSET },
    attributes: {
      'http.request.method': 'POST',
      'server.address': 'gateway.example',
      'http.response.status_code': 201,
    },
  })
  expect(JSON.stringify([span?.name, span?.attributes])).not.toContain('secret')
})

it('hands on what other systems added to the trace', async () => {
  const { send, sent, tracer } = traced(answered)
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const caller = tracer.begin('server', 'GET', { traceparent, tracestate: 'rojo=1,congo=2' })
  await caller.within(() => send(request))
  expect(sent[0]?.headers).toMatchObject({ tracestate: 'rojo=1,congo=2' })
})

it('says why there was no answer', async () => {
  const { send, spans } = traced(() => Promise.reject(new NoAnswer('TIMED_OUT', true)))
  await expect(send(request)).rejects.toThrow('TIMED_OUT')
  expect(spans()).toMatchObject([
    { status: { code: SpanStatusCode.ERROR }, attributes: { 'error.type': 'TIMED_OUT' } },
  ])
})

it('is the client itself where nothing is traced', () => {
  const send = () => Promise.reject(new Error('not called'))
  expect(tracedSend(null, send)).toBe(send)
})
