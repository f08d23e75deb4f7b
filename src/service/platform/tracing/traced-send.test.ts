import { SpanStatusCode } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import type { OutboundRequest } from '../outbound/http-client.ts'
import { NoAnswer } from '../outbound/no-answer.ts'
import { BEGINS_AT, tracedInMemory } from './testing/traced-in-memory.ts'
import { tracedSend } from './traced-send.ts'

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
