import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bringAttemptsForward } from './domains/charges/unfinished-store.ts'
import { tokenHashOf } from './domains/payment-sources/token-store.ts'
import { chargeCalls, chargeOf } from './testing/charge-calls.ts'
import type { ChargeCalls } from './testing/charge-calls.ts'
import { checkoutCalls } from './testing/checkout-calls.ts'
import type { CheckoutCalls } from './testing/checkout-calls.ts'
import { createTestService } from './testing/test-service.ts'
import type { TestService } from './testing/test-service.ts'
import { createWebhookReceiver, makeWebhook } from './testing/webhook-receiver.ts'
import { bringForwardDeliveries } from './domains/webhooks/delivery-store.ts'
import { testStatement } from './testing/test-statement.ts'

const MINUTE = 60_000
const clock = { sinceStepMs: Infinity }

let service: TestService
let calls: ChargeCalls
let checkouts: CheckoutCalls
beforeAll(async () => {
  const timeOfDay = {
    epochMs: Date.now,
    refresh: () => Promise.resolve(),
    msSinceStep: () => clock.sinceStepMs,
    setBackMs: () => 0,
  }
  service = await createTestService({ timeOfDay })
  calls = chargeCalls(service)
  checkouts = checkoutCalls(service)
})
afterAll(() => service.close())
beforeEach(() => {
  clock.sinceStepMs = Infinity
})

const run = (name: string, sql: string, ...values: unknown[]) =>
  service.database.run(testStatement<Record<string, unknown>>(name, sql), values)

describe('while the database’s clock has stepped lately', () => {
  it.each([
    ['no hold is released', 'release ended holds'],
    ['no checkout is ended', 'expire checkouts'],
    ['no card is erased', 'erase expired tokens'],
  ])('%s; ten minutes later it is', async (_, job) => {
    const { _id: charge } = await service.authorise()
    const { _id: checkout } = await checkouts.make()
    const token = tokenHashOf(await service.tokenise())
    await run(
      't_hold',
      "UPDATE charges SET hold_expires_at = now() - interval '1 s', updated_at = created_at - interval '1 min' WHERE id = $1",
      charge,
    )
    await checkouts.endTime(checkout)
    await run('t_card', 'UPDATE payment_source_tokens SET expires_at = now() WHERE token_hash = $1', token)
    const ended = async () => {
      await service.runJob(job)
      const [card] = await run(
        't_left',
        'SELECT card_ccv IS NULL AS gone FROM payment_source_tokens WHERE token_hash = $1',
        token,
      )
      const steps = await checkouts.stepsOf(checkout)
      const { status } = await calls.read(charge)
      return status === 'cancelled' || steps.includes('expired') || card?.['gone'] === true
    }
    clock.sinceStepMs = 10 * MINUTE - 1
    expect(await ended()).toBe(false)
    clock.sinceStepMs = 10 * MINUTE
    expect(await ended()).toBe(true)
  })

  it('no gateway is asked for a movement that may still be under way', async () => {
    const body = { amount: '9000.68', currency: 'AUD', token: await service.tokenise() }
    const { _id } = chargeOf(await calls.sell(body))
    clock.sinceStepMs = 9999
    await service.runJob('resolve attempts')
    expect((await calls.read(_id)).status).toBe('processing')
    clock.sinceStepMs = 10_000
    await service.runJob('resolve attempts')
    expect((await calls.read(_id)).status).toBe('pending')
  })

  it('neither by the same request, which came again', async () => {
    const sale = {
      method: 'POST' as const,
      url: '/v1/charges?capture=false',
      headers: { ...calls.secret(), 'idempotency-key': 'sale' },
      payload: { amount: '9000.68', currency: 'AUD', token: await service.tokenise() },
    }
    await service.call(sale)
    clock.sinceStepMs = 9999
    expect(await service.call(sale)).toMatchObject({
      status: 409,
      headers: { 'retry-after': '1' },
      body: { error: { code: 'request_in_progress' } },
    })
    clock.sinceStepMs = 10_000
    expect((await service.call(sale)).body.resource.data).toMatchObject({ status: 'pending' })
  })
})

describe('after the database’s clock was set back', () => {
  const askedIn = async () => {
    await bringAttemptsForward(service.database)
    const [row] = await run(
      't_asked_in',
      "SELECT extract(epoch FROM ask_after - now())::float8 AS seconds FROM attempts WHERE outcome = 'open'",
    )
    return Math.round(Number(row?.['seconds']))
  }
  it.each([
    ['one that was never asked for', 0, 7200, 8],
    ['one that was asked for often', 12, 7200 + 256, 8],
    ['one that waits no longer than it ever would', 12, 200, 200],
    ['one that is not due yet', 0, 7, 7],
  ])('the outcome of %s is asked for in time', async (_, timesAsked, seconds, expected) => {
    await run('t_settled', "UPDATE attempts SET outcome = 'not_received' WHERE outcome = 'open'")
    await calls.sell({ amount: '9000.68', currency: 'AUD', token: await service.tokenise() })
    await run(
      't_put_off',
      "UPDATE attempts SET times_asked = $1, ask_after = now() + make_interval(secs => $2) WHERE outcome = 'open'",
      timesAsked,
      seconds,
    )
    expect(await askedIn()).toBe(expected)
  })

  it.each([
    ['that was never tried is due now', 0, 7200, 0],
    ['that a process may have under way is due after its lease', 1, 7260, 60],
    ['that waits for its next try is left', 4, 7200, 7200],
    ['that waits for longer than it ever would is tried again', 3, 30 * 60 * 1.3, 60],
    ['for the last time is left for its lease', 10, 59, 59],
  ])('a delivery %s', async (_, attempts, seconds, expected) => {
    const receiver = await createWebhookReceiver()
    const { _id } = await makeWebhook(service, { url: receiver.url })
    await service.authorise()
    await service.runJob('seal events')
    await run(
      't_due',
      'UPDATE webhook_deliveries SET attempts = $2, next_at = now() + make_interval(secs => $3) WHERE webhook_id = $1',
      _id,
      attempts,
      seconds,
    )
    await bringForwardDeliveries(service.database)
    const [row] = await run(
      't_due_in',
      'SELECT extract(epoch FROM next_at - now())::float8 AS seconds FROM webhook_deliveries WHERE webhook_id = $1',
      _id,
    )
    expect(Math.abs(Number(row?.['seconds']) - expected)).toBeLessThan(5)
    await receiver.close()
  })

  it.each([
    ['that could not be released is tried again', "now() + interval '2 h'", 'cancelled'],
    ['that could not be released just now waits as ever', "now() + interval '55 s'", 'pending'],
  ])('a hold %s', async (_, releaseFrom, status) => {
    const { _id } = await service.authorise()
    await run(
      `t_tried_${status}_${releaseFrom.length}`,
      `UPDATE charges SET hold_expires_at = now() - interval '1 s', release_attempts = 1, release_from = ${releaseFrom} WHERE id = $1`,
      _id,
    )
    await service.runJob('bring releases forward')
    await service.runJob('release ended holds')
    expect((await calls.read(_id)).status).toBe(status)
  })

  it('a checkout that was left on the way is settled', async () => {
    const { _id, token } = await checkouts.make({ amount: '9000.68' })
    await checkouts.pay(token, await checkouts.tokenise(token))
    await service.runJob('resolve attempts')
    await run('t_ahead', "UPDATE checkout_intents SET updated_at = now() + interval '2 h' WHERE id = $1", _id)
    await service.runJob('sync checkouts with charges')
    const [row] = await run('t_status', 'SELECT status FROM checkout_intents WHERE id = $1', _id)
    expect(row?.['status']).toBe('completed')
  })

  it('movements stand in the order in which they can happen', async () => {
    const { _id } = await service.authorise()
    await calls.capture(_id)
    await run(
      't_order',
      "UPDATE attempts SET created_at = created_at - interval '2 h' WHERE charge_id = $1 AND type = 'capture'",
      _id,
    )
    expect((await calls.read(_id)).transactions.map(({ type }) => type)).toEqual(['sale', 'capture'])
  })
})
