import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { testCard } from '../../testing/test-card.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../../testing/webhook-receiver.ts'

const Value = v.union([v.object({ stringValue: v.string() }), v.object({ intValue: v.string() })])
const Span = v.object({
  traceId: v.string(),
  spanId: v.string(),
  parentSpanId: v.optional(v.string()),
  name: v.string(),
  kind: v.number(),
  startTimeUnixNano: v.pipe(v.string(), v.regex(/^\d{19}$/)),
  endTimeUnixNano: v.pipe(v.string(), v.regex(/^\d{19}$/)),
  attributes: v.array(v.object({ key: v.string(), value: Value })),
})
const Export = v.object({
  resourceSpans: v.array(v.object({ scopeSpans: v.array(v.object({ spans: v.array(Span) })) })),
})

/** An OpenTelemetry collector as far as traces go. */
async function startCollector() {
  const received: { path: string | undefined; authorization: string | undefined; body: string }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url, authorization: request.headers.authorization, body })
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('the collector has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    spans: () =>
      received.flatMap(({ body }) =>
        v
          .parse(Export, JSON.parse(body))
          .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

type Collector = Awaited<ReturnType<typeof startCollector>>
let collector: Collector
let service: TestService
beforeAll(async () => {
  collector = await startCollector()
  service = await createTestService({
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    },
  })
})
afterAll(async () => {
  await service.close()
  await collector.close()
})

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const sell = (token: string, traceparent: string) =>
  service.raw({
    method: 'POST',
    url: '/v1/charges?capture=false',
    headers: { 'x-user-secret-key': service.merchant.secretKey, traceparent },
    payload: { amount: '10.00', currency: 'AUD', token },
  })
const spansOf = async (traceId: string) => {
  await service.runJob('send traces')
  return collector.spans().filter((span) => span.traceId === traceId)
}
const valueOf = (span: v.InferOutput<typeof Span> | undefined, name: string) =>
  span?.attributes.find(({ key }) => key === name)?.value

describe('traces', () => {
  it('go from a caller through the request to the gateway', async () => {
    await sell(await service.tokenise(), `00-${TRACE}-${CALLER}-01`)
    await vi.waitFor(async () => expect(await spansOf(TRACE)).toHaveLength(2))
    const [request, gateway] = (await spansOf(TRACE)).sort((one, other) => one.kind - other.kind)
    expect(request).toMatchObject({ name: 'POST /v1/charges', kind: 2, parentSpanId: CALLER })
    expect(gateway).toMatchObject({ name: 'gateway authorisation', kind: 3, parentSpanId: request?.spanId })
    expect(valueOf(request, 'http.response.status_code')).toEqual({ intValue: '201' })
    expect(valueOf(gateway, 'svc.outcome')).toEqual({ stringValue: 'approved' })
    expect(collector.received[0]).toMatchObject({
      path: '/v1/traces',
      authorization: 'Bearer of-the-collector',
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
    const spans = await spansOf(traceId)
    const delivery = spans.find(({ name }) => name === 'webhook charge.authorised')
    expect(valueOf(delivery, 'svc.resource_id')).toEqual({ stringValue: _id })
    expect(spans.find(({ spanId }) => spanId === sender)).toMatchObject({
      name: 'POST',
      parentSpanId: delivery?.spanId,
    })
    const requests = collector.spans().filter(({ name }) => name === 'POST /v1/charges')
    expect(requests.map((span) => valueOf(span, 'svc.resource_id'))).toContainEqual({ stringValue: _id })
  })

  it('of a caller that records none are not recorded', async () => {
    const traceId = '1'.repeat(32)
    await sell(await service.tokenise(), `00-${traceId}-${CALLER}-00`)
    expect(await spansOf(traceId)).toEqual([])
  })

  it('hold no card, token or key', async () => {
    const token = await service.tokenise()
    await sell(token, 'no-trace')
    await service.runJob('send traces')
    const sent = collector.received.map(({ body }) => body).join('\n')
    expect(sent).toContain('POST /v1/payment_sources/tokens')
    const { publicKey, secretKey } = service.merchant
    for (const secret of [testCard.card_number, testCard.card_name, token, publicKey, secretKey])
      expect(sent).not.toContain(secret)
  })

  it('are not made where no collector is set', async () => {
    const other = await createTestService()
    await expect(other.runJob('send traces')).rejects.toThrow('there is no job send traces')
    await other.close()
  })
})

describe('a collector that is away', () => {
  it('is a warning once, and costs no request', async () => {
    const other = await createTestService({
      settings: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
    })
    for (let round = 0; round < 3; round += 1) {
      await other.authorise()
      await other.runJob('send traces')
    }
    expect(other.logged().match(/traces could not be sent/g)).toHaveLength(1)
    await other.close()
  })
})
