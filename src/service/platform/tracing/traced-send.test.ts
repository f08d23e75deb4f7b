import { expect, it } from 'vitest'
import type { OutboundRequest } from '../outbound/http-client.ts'
import { NoAnswer } from '../outbound/no-answer.ts'
import { createTracer } from './tracer.ts'
import type { EndedSpan } from './tracer.ts'
import { tracedSend } from './traced-send.ts'

function traced(answer: () => Promise<{ status: number; headers: object; body: string }>) {
  const sent: OutboundRequest[] = []
  const spans: EndedSpan[] = []
  let number = 0
  const tracer = createTracer({
    timeOfDay: { epochMs: () => 1_000_000 },
    clock: { elapsedMs: () => (number += 5) },
    randomHex: (bytes) => 'ab'.repeat(bytes),
    share: 1,
    onEnd: (span) => spans.push(span),
  })
  const send = tracedSend(tracer, (request) => {
    sent.push(request)
    return answer().then((one) => ({ ...one, headers: {} }))
  })
  return { send, sent, spans }
}
const request = {
  url: 'https://gateway.example/v1/payments/secret?key=k',
  headers: { 'x-api-key': 'k' },
  body: '{}',
}

it('tells the server of the trace, and keeps of its address the host alone', async () => {
  const { send, sent, spans } = traced(() => Promise.resolve({ status: 201, headers: {}, body: '' }))
  await send(request)
  expect(sent[0]?.headers).toEqual({
    'x-api-key': 'k',
    traceparent: `00-${'ab'.repeat(16)}-${'ab'.repeat(8)}-01`,
  })
  expect(spans).toMatchObject([
    {
      name: 'POST',
      beganAt: 1_000_000,
      endedAt: 1_000_005,
      hasFailed: false,
      attributes: {
        'http.request.method': 'POST',
        'server.address': 'gateway.example',
        'http.response.status_code': 201,
      },
    },
  ])
  expect(JSON.stringify(spans)).not.toContain('secret')
})

it('says why there was no answer', async () => {
  const { send, spans } = traced(() => Promise.reject(new NoAnswer('TIMED_OUT', true)))
  await expect(send(request)).rejects.toThrow('TIMED_OUT')
  expect(spans).toMatchObject([{ hasFailed: true, attributes: { 'error.type': 'TIMED_OUT' } }])
})

it('is the client itself where nothing is traced', () => {
  const send = () => Promise.reject(new Error('not called'))
  expect(tracedSend(null, send)).toBe(send)
})
