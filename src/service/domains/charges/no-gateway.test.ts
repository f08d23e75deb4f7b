import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testCard } from '../../testing/test-card.ts'
import { testStatement } from '../../testing/test-statement.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

const tokenise = (publicKey: string, more: object = {}) =>
  service.call({
    method: 'POST',
    url: '/v1/payment_sources/tokens',
    headers: { 'x-user-public-key': publicKey },
    payload: { ...testCard, ...more },
  })
const remove = testStatement('t_no_gateway', 'DELETE FROM gateways WHERE merchant_id = $1')

it('a merchant without a gateway is told how to connect one, where nobody named any', async () => {
  const made = await service.makeMerchant()
  await service.database.run(remove, [made.merchant.id])
  for (const more of [{}, { gateway_id: 'default' }, { gateway_id: 'not_configured' }]) {
    const { status, body } = await tokenise(made.publicKey, more)
    expect([status, body.error?.code, body.error?.details]).toEqual([422, 'gateway_not_found', undefined])
    expect(body.error?.message).toContain('Connect one on the dashboard')
  }
})

it('a gateway that was named and is not there is a fault of its field', async () => {
  const { status, body } = await tokenise(service.merchant.publicKey, {
    gateway_id: '6b01799184f819f4cecbe1a7',
  })
  expect([status, body.error?.details?.[0]?.path]).toEqual([400, 'gateway_id'])
})

it.each([
  ['by default', 'not_configured', 'Connect one on the dashboard'],
  ['that was named', 'own', 'was removed'],
])('a charge whose gateway %s was removed says what to do, and keeps its token', async (_, named, words) => {
  const made = await service.makeMerchant()
  const more = { gateway_id: named === 'own' ? made.gatewayId : named }
  const token = String((await tokenise(made.publicKey, more)).body.resource.data)
  await service.database.run(remove, [made.merchant.id])
  // Gateways are remembered for some seconds; another process has not read any.
  const another = await createTestService({ database: service.database })
  const { status, body } = await another.call({
    method: 'POST',
    url: '/v1/charges',
    headers: { 'x-user-secret-key': made.secretKey },
    payload: { amount: '1.00', currency: 'AUD', token },
  })
  expect([status, body.error?.code]).toEqual([422, 'gateway_not_found'])
  expect(body.error?.message).toContain(words)
  await another.close()
})

it('a card form of a merchant without a gateway says so to the page', async () => {
  const made = await service.makeMerchant()
  await service.database.run(remove, [made.merchant.id])
  const { body } = await service.raw({ method: 'GET', url: `/sdk/latest/frame?public_key=${made.publicKey}` })
  expect(body).toContain('gateway_not_found')
  expect(body).toContain('Connect one on the dashboard')
})
