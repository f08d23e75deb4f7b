import { SpanStatusCode } from '@opentelemetry/api'
import { describe, expect, it, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { capturedLog } from '../testing/captured-log.ts'
import { startCollector } from '../testing/collector.ts'
import { hostileNames, startHostileServer } from '../testing/hostile-servers.ts'
import { testCard } from '../testing/test-card.ts'
import { monotonicClock } from './clocks.ts'
import { oneTimeTokenOf } from './secrets/one-time-token.ts'
import { openTracing } from './open-tracing.ts'
import { BEGINS_AT, tracedInMemory } from '../testing/traced-in-memory.ts'

const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
const TRACEPARENT = `00-${traceId}-${spanId}-01`
const token = oneTimeTokenOf(Buffer.alloc(16, 0x5a))
const TOKEN_AS_TRACE = token.replaceAll('-', '')
const CARD_AS_TRACE = `${'0'.repeat(16)}${testCard.card_number}`

/** What the next server is told by a span that begins with a caller's headers. */
function toldAfter(headers: Record<string, string | string[] | undefined>) {
  const { traceparent = '', tracestate } = tracedInMemory().tracer.begin('server', 'GET', headers).headers()
  const [, trace, span, flags] = traceparent.split('-')
  return { trace, span, flags, tracestate }
}

describe('a caller that sends traceparent', () => {
  it.each([
    [TRACEPARENT, '01'],
    [`00-${traceId}-${spanId}-00`, '00'],
    [`cc-${traceId}-${spanId}-03-what-the-future-will-be`, '01'],
  ])('%s has its trace gone on with, recorded as it does', (traceparent, flags) => {
    expect(toldAfter({ traceparent })).toMatchObject({ trace: traceId, flags })
  })

  it.each([
    undefined,
    [TRACEPARENT],
    '',
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId}-${spanId}`,
    `${TRACEPARENT}, ${TRACEPARENT}`,
    `00-${TOKEN_AS_TRACE}-${spanId}-01`,
    `00-${traceId}-${testCard.card_number}-01`,
    `00-${CARD_AS_TRACE}-${spanId}-01`,
  ])('%j begins a trace of its own', (traceparent) => {
    const { trace, flags } = toldAfter({ traceparent })
    expect([traceId, TOKEN_AS_TRACE, CARD_AS_TRACE]).not.toContain(trace)
    expect(flags).toBe('01')
  })
})

describe('tracestate', () => {
  it('is kept as the caller sent it, in its order', () => {
    const tracestate = 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'
    expect(toldAfter({ traceparent: TRACEPARENT, tracestate })).toMatchObject({ trace: traceId, tracestate })
  })

  it.each([
    ['without traceparent', { tracestate: 'rojo=1' }],
    ['that is malformed', { traceparent: TRACEPARENT, tracestate: 'ROJO; nothing' }],
    ['with a token', { traceparent: TRACEPARENT, tracestate: `rojo=1,shop=${token}` }],
    ['with a card number', { traceparent: TRACEPARENT, tracestate: `rojo=1,shop=${testCard.card_number}` }],
  ])('%s is sent to nobody', (_, headers) => {
    expect(toldAfter(headers).tracestate ?? '').toBe('')
  })

  it('with a secret takes nothing from the trace itself', () => {
    expect(toldAfter({ traceparent: TRACEPARENT, tracestate: `a=${token}` }).trace).toBe(traceId)
  })
})

describe('a span', () => {
  it("has its times by the service's clocks, its parent, and whether it failed", async () => {
    const { tracer, spans } = tracedInMemory()
    const request = tracer.begin('server', 'POST /v1/charges', { traceparent: TRACEPARENT })
    await request.within(async () => {
      await Promise.resolve()
      const call = tracer.begin('client', 'POST')
      call.add({ 'http.response.status_code': 502 })
      call.end({ hasFailed: true })
    })
    request.end()
    const [call, outer] = spans()
    const seconds = BEGINS_AT / 1000
    expect(call).toMatchObject({
      name: 'POST',
      startTime: [seconds, 0],
      endTime: [seconds, 5_000_000],
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'http.response.status_code': 502 },
    })
    expect(call?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId)
    expect(outer?.parentSpanContext?.spanId).toBe(spanId)
    expect(outer?.status.code).toBe(SpanStatusCode.UNSET)
  })

  it('that begins a new trace belongs to no work around it', () => {
    const { tracer, spans } = tracedInMemory()
    const outer = tracer.begin('server', 'outer', null)
    outer.within(() => tracer.begin('client', 'webhook', null).end())
    expect(spans()[0]?.parentSpanContext).toBeUndefined()
  })
})

const SECRET = 'of-the-collector'

/** Tracing to a collector at this address, whose exports may take 300 ms. */
async function tracingTo(url: string, settings: Record<string, string> = {}) {
  const { log, logged } = capturedLog()
  const { tracer, stop } = await openTracing(
    readConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${SECRET}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
      OTEL_BSP_SCHEDULE_DELAY: '10',
      ...settings,
    }).tracing,
    {
      version: '1.0.0',
      log,
      clock: monotonicClock,
      timeOfDay: { epochMs: () => 1_800_000_000_000 },
    },
  )
  const make = (count: number) => {
    for (let made = 0; made < count; made += 1) tracer?.begin('server', 'GET /v1/charges', null).end()
  }
  return { make, stop, logged, faults: () => logged().match(/traces could not be sent/g)?.length ?? 0 }
}

describe.each(hostileNames)('a collector that %s', (name) => {
  it('is left in time, is a warning at most, and keeps no stop waiting', async () => {
    const server = await startHostileServer(name)
    const { make, stop, logged } = await tracingTo(server.url)
    make(1)
    await vi.waitFor(() => expect(server.connections().made).toBeGreaterThan(0))
    await vi.waitFor(() => expect(server.connections().open).toBe(0), { timeout: 5000 })
    make(1)
    const began = performance.now()
    await stop()
    expect(performance.now() - began).toBeLessThan(5000)
    expect(logged()).not.toContain(SECRET)
    expect(logged().split('\n').length).toBeLessThanOrEqual(3)
    await server.close()
  })
})

describe('spans that wait for a collector', () => {
  it('are kept up to the number that is set; what is more is dropped', async () => {
    const collector = await startCollector()
    const { make, stop } = await tracingTo(collector.url, {
      OTEL_BSP_SCHEDULE_DELAY: '999999',
      OTEL_BSP_MAX_QUEUE_SIZE: '100',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '100',
      OTEL_EXPORTER_OTLP_TIMEOUT: '5000',
    })
    make(1000)
    await stop()
    // One batch that was under way, and one that waited.
    expect(collector.exports().map(({ count }) => count)).toEqual([100, 100])
    await collector.close()
  })

  it('are sent again when the collector was overloaded, and then no fault is told', async () => {
    const collector = await startCollector()
    collector.answerNext(503)
    const { make, stop, faults } = await tracingTo(collector.url, { OTEL_EXPORTER_OTLP_TIMEOUT: '3000' })
    make(1)
    await vi.waitFor(() => expect(collector.received).toHaveLength(2), { timeout: 3000 })
    await stop()
    expect(faults()).toBe(0)
    await collector.close()
  })
})

describe('a fault of the collector', () => {
  it('is told once until it takes traces again, by its status alone', async () => {
    const collector = await startCollector()
    const { make, stop, faults, logged } = await tracingTo(collector.url)
    const sendOne = async (status: number) => {
      const before = collector.received.length
      collector.answerNext(status)
      make(1)
      await vi.waitFor(() => expect(collector.received.length).toBe(before + 1))
      await new Promise((resolve) => setTimeout(resolve, 50))
      return faults()
    }
    expect(await sendOne(401)).toBe(1)
    expect(await sendOne(401)).toBe(1)
    expect(await sendOne(200)).toBe(1)
    expect(await sendOne(400)).toBe(2)
    expect(logged()).toContain('"cause":401')
    await stop()
    await collector.close()
  })

  it('leaves room for the next export, even if the SDK never hears of its end', async () => {
    const server = await startHostileServer('switches protocols')
    const { make, stop } = await tracingTo(server.url, { OTEL_BSP_MAX_QUEUE_SIZE: '1' })
    // Two may be under way.
    for (let count = 1; count <= 4; count += 1) {
      make(1)
      await vi.waitFor(() => expect(server.connections().made).toBe(count), { timeout: 3000 })
      await vi.waitFor(() => expect(server.connections().open).toBe(0), { timeout: 3000 })
    }
    await stop()
    await server.close()
  })

  it('ends the connection at once where it says too much', async () => {
    const server = await startHostileServer('floods interim answers')
    const { make, stop } = await tracingTo(server.url, { OTEL_EXPORTER_OTLP_TIMEOUT: '60000' })
    make(1)
    await vi.waitFor(() => expect(server.connections()).toEqual({ made: 1, open: 0 }), { timeout: 30_000 })
    await stop()
    await server.close()
  })

  it("that nobody listens is told with the system's code", async () => {
    const { make, stop, logged } = await tracingTo('http://127.0.0.1:1')
    make(1)
    await stop()
    expect(logged()).toContain('"cause":"ECONNREFUSED"')
  })
})
