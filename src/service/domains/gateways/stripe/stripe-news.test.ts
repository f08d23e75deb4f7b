import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operate } from '../../../testing/operate.ts'
import { TEST_KEY } from '../../../testing/test-service.ts'
import { chargeOf } from '../../../testing/charge-calls.ts'
import { createServiceAt } from '../testing/service-at.ts'
import type { ServiceAt } from '../testing/service-at.ts'
import type { AtBank } from '../testing/gateway-bed.ts'
import { chargeLike, eventLike, intentLike, refundLike } from './testing/stripe-shapes.ts'

const { webhooks } = new Stripe('sk_test_unused')
const SECRET = 'whsec_0123456789abcdef'
let there: ServiceAt
beforeAll(async () => {
  there = await createServiceAt('Stripe')
  const { service, gatewayId } = there
  const ids = [service.merchant.merchant.id, gatewayId, '--signing-key']
  const environment = { SVC_VAULT_KEYS: `test:${TEST_KEY.toString('base64')}` }
  const made = await operate(service, 'gateways notifications', ids, { environment, secret: SECRET })
  expect(made.complained).toBe('')
})
afterAll(() => there.close())

const browser = {
  language: 'en-AU',
  time_zone_offset: -600,
  screen_width: 390,
  screen_height: 844,
  color_depth: 24,
}

let count = 0
async function tell(type: string, object: object, secret = SECRET): Promise<number> {
  const created = Math.floor(Date.now() / 1000)
  const payload = JSON.stringify(eventLike({ id: `evt_${(count += 1)}`, type, created, data: { object } }))
  const { statusCode } = await there.service.raw({
    method: 'POST',
    url: `/gateways/${there.gatewayId}/notifications`,
    headers: {
      'content-type': 'application/json',
      'stripe-signature': webhooks.generateTestHeaderString({ payload, secret, timestamp: created }),
    },
    payload,
  })
  await there.service.runJob('hear gateways')
  return statusCode
}

describe('what Stripe tells', () => {
  it('is refused without its signature', async () => {
    expect(await tell('charge.captured', chargeLike({}), 'whsec_another')).toBe(401)
  })

  it('of a refund that failed later makes the charge complete again', async () => {
    const { _id: id } = await there.hold()
    await there.calls.capture(id)
    await there.calls.refund(id, { amount: '100.00' })
    const { status, external_id: payment, transactions } = await there.calls.read(id)
    expect(status).toBe('refunded')
    const failed = refundLike({
      ...{ id: transactions.at(-1)?.external_id, payment_intent: payment, amount: 10_000 },
      ...{ status: 'failed', failure_reason: 'expired_or_canceled_card' },
    })
    expect(await tell('refund.failed', failed)).toBe(200)
    expect(await tell('refund.updated', failed)).toBe(200)
    const charge = await there.calls.read(id)
    expect(charge.status).toBe('complete')
    expect(charge.statistics.total_refunded_amount).toBe(0)
  })

  it('of a capture by hand is a transaction of the charge, once', async () => {
    const { _id: id, external_id: payment, transactions } = await there.hold()
    const captured = chargeLike({
      ...{ id: 'ch_by_hand', payment_intent: payment, metadata: { attempt_id: transactions[0]?._id } },
      ...{ amount: 10_000, amount_captured: 6000 },
    })
    expect([await tell('charge.captured', captured), await tell('charge.captured', captured)]).toEqual([
      200, 200,
    ])
    const charge = await there.calls.read(id)
    expect(charge.status).toBe('complete')
    expect(charge.transactions.map(({ type, amount }) => [type, amount])).toEqual([
      ['sale', 100],
      ['capture', 60],
    ])
  })

  it('of our own capture changes nothing', async () => {
    const { _id: id, external_id: payment, transactions } = await there.hold()
    await there.calls.capture(id)
    const before = await there.calls.read(id)
    const captured = chargeLike({
      ...{ id: before.transactions.at(-1)?.external_id, payment_intent: payment },
      ...{ metadata: { attempt_id: transactions[0]?._id }, amount: 10_000, amount_captured: 10_000 },
    })
    expect(await tell('charge.captured', captured)).toBe(200)
    expect(await there.calls.read(id)).toEqual(before)
  })

  it.each<[AtBank, string, object, string, object]>([
    [
      'passes',
      'pending',
      { status: 'authenticated', flow: 'challenge', eci: '05' },
      'payment_intent.amount_capturable_updated',
      { status: 'requires_capture', amount_capturable: 10_000 },
    ],
    [
      'fails',
      'failed',
      { status: 'failed' },
      'payment_intent.payment_failed',
      { last_payment_error: { type: 'card_error', code: 'payment_intent_authentication_failure' } },
    ],
  ])(
    'of a payment whose card holder %s, and never came back, has it read: %s',
    async (does, status, _3ds, type, change) => {
      const { service, gatewayId, calls, bank } = there
      const token = await service.tokenise({ gateway_id: gatewayId, browser, ...bank?.asks })
      const asked = chargeOf(await calls.sell({ amount: '100.00', currency: 'AUD', token }))
      expect(asked.status).toBe('pre_authentication_pending')
      const attempt_id = asked.transactions.find((one) => one.type === 'sale')?._id ?? ''
      await bank?.visit(attempt_id, does)
      const told = { id: 'pi_told', amount: 10_000, metadata: { attempt_id }, ...change }
      expect(await tell(type, intentLike(told))).toBe(200)
      await service.runJob('resolve attempts')
      expect(await calls.read(asked._id)).toMatchObject({ status, _3ds })
    },
  )
})
