import { afterEach, expect, it } from 'vitest'
import { startAdyenDouble } from './domains/gateways/adyen/testing/adyen-double.ts'
import { chargeCalls } from './testing/charge-calls.ts'
import { refusing, startEgressProxy } from './testing/egress-proxy.ts'
import type { EgressProxy } from './testing/egress-proxy.ts'
import { createTestService } from './testing/test-service.ts'
import type { TestService } from './testing/test-service.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from './testing/webhook-receiver.ts'
import { testStatement } from './testing/test-statement.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function proxied(): Promise<EgressProxy> {
  const proxy = await startEgressProxy()
  closing.push(proxy.close)
  return proxy
}

async function serviceWith(settings: Record<string, string>): Promise<TestService> {
  const service = await createTestService({ settings, gatewayTimeoutMs: 5000 })
  closing.push(service.close)
  return service
}

/** Its merchant sells at Adyen. */
async function adyenOf(service: TestService) {
  const double = await startAdyenDouble({ apiKey: 'right' })
  closing.push(double.close)
  const credentials = { api_key: 'right', merchant_account: 'Acme', base_url: double.baseUrl }
  const gateway = { name: 'Adyen', type: 'adyen', isDefault: true, credentials }
  await service.merchants.addGateway(service.merchant.merchant.id, gateway)
  const sell = async () =>
    chargeCalls(service).sell({ amount: '10.00', currency: 'AUD', token: await service.tokenise() })
  return { double, sell }
}

const secretly = ({ url }: EgressProxy) => url.replace('://', '://svc:hidden-word@')

it('each request leaves by the proxy of its kind', async () => {
  const [gateways, webhooks] = [await proxied(), await proxied()]
  const service = await serviceWith({
    SVC_OUTBOUND_PROXY: secretly(gateways),
    SVC_WEBHOOKS_PROXY: webhooks.url,
  })
  const { double, sell } = await adyenOf(service)
  const receiver = await createWebhookReceiver()
  closing.push(receiver.close)
  await makeWebhook(service, { url: receiver.url, events: ['charge.authorised'] })
  expect((await sell()).status).toBe(201)
  await sendWebhooks(service)
  expect(receiver.types()).toEqual(['charge.authorised'])
  expect(double.requests).toHaveLength(1)
  expect(gateways.asked).toEqual([new URL(double.baseUrl).host])
  expect(gateways.shown).toEqual([`Basic ${Buffer.from('svc:hidden-word').toString('base64')}`])
  expect(webhooks.asked).toEqual([new URL(receiver.url).host])
  expect(webhooks.shown).toEqual([''])
  expect(service.logged()).not.toContain('hidden-word')
})

it('none lets one kind of request go straight', async () => {
  const proxy = await proxied()
  const service = await serviceWith({ SVC_OUTBOUND_PROXY: proxy.url, SVC_GATEWAYS_PROXY: 'none' })
  const { double, sell } = await adyenOf(service)
  expect((await sell()).status).toBe(201)
  expect(double.requests).toHaveLength(1)
  expect(proxy.asked).toEqual([])
})

it.each([
  [
    'asks for another password',
    refusing(407),
    'it does not take the user and password of the setting (PROXY_407)',
  ],
  ['refuses', refusing(403), 'it refuses to (PROXY_403)'],
  ['hangs', () => undefined, 'it does not answer in time (PROXY_TIMED_OUT)'],
])(
  'a charge through a proxy that %s is told at once, moved nothing, and may be made again',
  { timeout: 12_000 },
  async (_, treatment, words) => {
    const proxy = await proxied()
    const service = await serviceWith({ SVC_GATEWAYS_PROXY: secretly(proxy) })
    const { double, sell } = await adyenOf(service)
    proxy.treat(treatment)
    const refused = await sell()
    expect(refused.body.error?.code).toBe('gateway_unavailable')
    const lines = service.logged().split('\n')
    const told = lines.filter((line) => line.includes('the proxy opens no way to the server of a gateway'))
    expect(told).toHaveLength(1)
    expect(told[0]).toContain(words)
    expect(service.logged()).not.toContain('hidden-word')
    proxy.treat(null)
    expect((await sell()).status).toBe(201)
    expect(double.requests).toHaveLength(1)
    await expect.poll(proxy.open).toBe(1)
  },
)

const lastFault = testStatement<{ last_fault: string | null }>(
  't_last_fault',
  'SELECT last_fault FROM webhook_deliveries WHERE webhook_id = $1',
)

it('a message that the proxy lets not through is said to be held up by it', async () => {
  const proxy = await proxied()
  proxy.treat(refusing(403))
  const service = await serviceWith({ SVC_WEBHOOKS_PROXY: proxy.url })
  const hook = await makeWebhook(service, { url: 'http://127.0.0.1:1/hook' })
  await service.authorise()
  await sendWebhooks(service)
  expect(await service.database.run(lastFault, [hook._id])).toEqual([
    { last_fault: 'the proxy of this service let nothing through (PROXY_403)' },
  ])
})
