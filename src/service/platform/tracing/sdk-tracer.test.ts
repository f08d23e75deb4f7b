import { SpanStatusCode } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { testCard } from '../../testing/test-card.ts'
import { oneTimeTokenOf } from '../secrets/one-time-token.ts'
import { BEGINS_AT, tracedInMemory } from './testing/traced-in-memory.ts'

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
