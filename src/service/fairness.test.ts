import { afterEach, expect, it } from 'vitest'
import type { Gateway } from './domains/gateways/gateway.ts'
import { chargeCalls, chargeOf } from './testing/charge-calls.ts'
import { startHostileServer } from './testing/hostile-servers.ts'
import { createTestService } from './testing/test-service.ts'
import type { TestService } from './testing/test-service.ts'
import { createWebhookReceiver, makeWebhook } from './testing/webhook-receiver.ts'
import { testStatement } from './testing/test-statement.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const approved = {
  kind: 'approved',
  code: '00',
  description: 'Approved',
  externalId: 'sale',
  externalReference: null,
  holdSeconds: 60,
} as const

/** Approves sales, or says nothing to them; says nothing to anything else, until it is told to. */
function hangingGateway(sells: boolean) {
  let asked = 0
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const silence = async () => {
    asked += 1
    await released
    return { kind: 'unknown' } as const
  }
  const gateway: Gateway = {
    authorise: ({ signal }) =>
      sells
        ? Promise.resolve(approved)
        : new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'unknown' }))),
    capture: silence,
    cancel: silence,
    refund: silence,
    outcomeOf: silence,
  }
  return { gateway, asked: () => asked, release: () => release() }
}

/** A service one of whose merchants has a gateway that hangs. */
async function withHanging(sells: boolean) {
  const hanging = hangingGateway(sells)
  const service = await createTestService({ gateways: { adyen: hanging.gateway }, gatewayTimeoutMs: 1500 })
  closing.push(service.close)
  const gateway = { name: 'Hangs', type: 'adyen', isDefault: false, credentials: {} }
  const gatewayId = (await service.merchants.addGateway(service.merchant.merchant.id, gateway)) ?? ''
  const calls = chargeCalls(service)
  const sell = async () =>
    calls.sell({ amount: '10.00', currency: 'AUD', token: await service.tokenise({ gateway_id: gatewayId }) })
  await Promise.all(Array.from({ length: 40 }, sell))
  return { service, hanging }
}

const sellAs = async (service: TestService, owner: TestService['merchant'], amount: string) =>
  chargeOf(
    await service.call({
      method: 'POST',
      url: '/v1/charges?capture=false',
      headers: { 'x-user-secret-key': owner.secretKey },
      payload: { amount, currency: 'AUD', token: await service.tokenise({}, owner) },
    }),
  )
const statusOf = async (service: TestService, owner: TestService['merchant'], id: string) =>
  chargeOf(
    await service.call({ url: `/v1/charges/${id}`, headers: { 'x-user-secret-key': owner.secretKey } }),
  ).status

it('16 webhooks of one merchant that never answer keep no webhook of another waiting', async () => {
  const service = await createTestService({ webhookTimeoutMs: 5000 })
  const receiver = await createWebhookReceiver()
  const hanging = await startHostileServer('never answers')
  closing.push(service.close, receiver.close, hanging.close)
  for (let number = 0; number < 16; number += 1)
    await makeWebhook(service, { url: `${hanging.url}/${number}` })
  for (let number = 0; number < 40; number += 10)
    await Promise.all(Array.from({ length: 10 }, () => service.authorise()))
  await service.runJob('seal events')
  const hung = service.runJob('deliver webhooks')
  await expect.poll(() => hanging.connections().open, { timeout: 4000 }).toBeGreaterThan(16)

  const other = await service.makeMerchant()
  await service.call({
    method: 'POST',
    url: '/v1/webhooks',
    headers: { 'x-user-secret-key': other.secretKey },
    payload: { url: receiver.url },
  })
  await service.authorise({}, other)
  await service.runJob('seal events')
  const again = service.runJob('deliver webhooks')
  await expect.poll(() => receiver.received.length, { timeout: 4000 }).toBe(1)
  expect(hanging.connections().open).toBeGreaterThan(16)
  expect((await service.raw({ url: '/metrics' })).body).toMatch(
    /svc_outbound_in_flight\{kind="webhook"\} [1-9]\d[^]*svc_webhook_deliveries_due \d{3}\n/,
  )
  await hanging.close().catch(() => undefined)
  closing.pop()
  await Promise.all([hung, again])
})

it('40 outcomes at a gateway that hangs keep no outcome of another merchant waiting', async () => {
  const { service, hanging } = await withHanging(false)
  const other = await service.makeMerchant()
  const { _id } = await sellAs(service, other, '9000.68')
  const asking = service.runJob('resolve attempts')
  await expect.poll(() => statusOf(service, other, _id), { timeout: 5000 }).toBe('pending')
  expect(hanging.asked()).toBeLessThan(32)
  hanging.release()
  await asking
})

it('40 holds at a gateway that hangs keep no hold of another merchant waiting', async () => {
  const { service, hanging } = await withHanging(true)
  const other = await service.makeMerchant()
  const { _id } = await sellAs(service, other, '10.00')
  const endHolds = testStatement(
    't_end_holds',
    `UPDATE charges SET updated_at = created_at - interval '1 minute',
            hold_expires_at = now() - CASE WHEN merchant_id = $1 THEN 1 ELSE 9 END * interval '1 second'`,
  )
  await service.database.run(endHolds, [other.merchant.id])
  const releasing = service.runJob('release ended holds')
  await expect.poll(() => statusOf(service, other, _id), { timeout: 5000 }).toBe('cancelled')
  expect(hanging.asked()).toBeLessThan(32)
  hanging.release()
  await releasing
})
