import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import type { News } from '../gateway.ts'
import { readStripeNotifications } from './stripe-notifications.ts'
import { chargeLike, disputeLike, eventLike, intentLike, refundLike } from './testing/stripe-shapes.ts'

const { webhooks } = new Stripe('sk_test_unused')
const SECRET = 'whsec_test'
const NOW = new Date('2026-11-27T03:00:00.000Z')
const SECONDS = NOW.getTime() / 1000
const account = { api_key: 'sk_test_right', merchant_account: 'acct_1' }
const secrets = { signingKeys: [SECRET], user: '', password: '' }

type Change = Record<string, unknown>
const event = (type: string, object: object, change: Change = {}) =>
  JSON.stringify(eventLike({ id: 'evt_1', type, created: SECONDS - 2, data: { object }, ...change }))
const signed = (payload: string, timestamp = SECONDS, secret = SECRET) =>
  webhooks.generateTestHeaderString({ payload, secret, timestamp })
const read = (body: string, header = signed(body), keys = secrets) =>
  readStripeNotifications(
    account,
    { headers: { 'stripe-signature': header }, body: Buffer.from(body), now: NOW },
    keys,
  )
const newsOf = (type: string, object: object, change: Change = {}): News | undefined =>
  read(event(type, object, change))?.[0]

const ours = { attempt_id: 'a1' }
const intent = (change: Change = {}) =>
  intentLike({ id: 'pi_1', amount: 1000, metadata: ours, latest_charge: 'ch_1', ...change })
const charge = (change: Change = {}) =>
  chargeLike({ id: 'ch_1', amount: 1000, metadata: ours, payment_intent: 'pi_1', ...change })
const refund = (change: Change = {}) =>
  refundLike({ id: 're_1', amount: 300, metadata: {}, payment_intent: 'pi_1', ...change })

describe('an event is read only if Stripe signed it', () => {
  const body = event('charge.captured', charge({ amount_captured: 600 }))

  it('with the secret, as Stripe’s own package signs', () => {
    expect(read(body)).toHaveLength(1)
  })

  it('with either of two secrets, while one is replaced', () => {
    const both = { ...secrets, signingKeys: ['whsec_new', SECRET] }
    expect(read(body, signed(body), both)).toHaveLength(1)
    expect(read(body, `${signed(body, SECONDS, 'whsec_old')},${signed(body)}`)).toHaveLength(1)
  })

  it.each([
    ['another secret', signed(body, SECONDS, 'whsec_other')],
    ['another body', signed(`${body} `)],
    ['a signature of six minutes ago', signed(body, SECONDS - 301)],
    ['a signature of the future', signed(body, SECONDS + 301)],
    ['a time that was changed', signed(body, SECONDS - 400).replace(/t=\d+/, `t=${SECONDS}`)],
    ['a signature of another scheme', signed(body).replace('v1=', 'v0=')],
    ['a signature that is cut off', signed(body).slice(0, -2)],
    ['no time', signed(body).replace(/t=\d+,/, '')],
    ['nothing', ''],
  ])('not with %s', (_, header) => {
    expect(read(body, header)).toBeNull()
  })

  it('not without the header, nor without a secret', () => {
    const request = { headers: {}, body: Buffer.from(body), now: NOW }
    expect(readStripeNotifications(account, request, secrets)).toBeNull()
    expect(read(body, signed(body), { ...secrets, signingKeys: [] })).toBeNull()
  })

  it('up to five minutes later', () => {
    expect(read(body, signed(body, SECONDS - 300))).toHaveLength(1)
  })
})

const movement = (type: string, isDone: boolean, more: object = {}) => ({
  kind: 'movement',
  ...{ type, isDone },
  ...more,
})
const nothing = { kind: 'nothing' }

describe('a payment that failed', () => {
  const failed = (code: string) =>
    newsOf('payment_intent.payment_failed', intent({ last_payment_error: { type: 'card_error', code } }))
      ?.says

  it('for want of authentication says nothing: its card may be asked for again', () => {
    expect(failed('authentication_required')).toEqual(nothing)
  })

  it('at the bank’s page says so', () => {
    expect(failed('payment_intent_authentication_failure')).toMatchObject({
      isDone: false,
      reason: 'authentication_failed',
    })
  })
})

describe('an event says in our words', () => {
  it.each<[string, object, object]>([
    [
      'payment_intent.amount_capturable_updated',
      intent({ status: 'requires_capture', amount_capturable: 1000 }),
      { says: movement('sale', true, { holdSeconds: 604_800 }), amount: 1000, externalId: 'pi_1' },
    ],
    [
      'payment_intent.amount_capturable_updated',
      intent({ status: 'requires_capture', amount_capturable: 1200 }),
      { says: { kind: 'authorisation_changed' }, amount: 1200 },
    ],
    [
      'payment_intent.succeeded',
      intent({ status: 'succeeded', amount_received: 1000 }),
      { says: movement('sale', true), amount: 1000 },
    ],
    [
      'payment_intent.succeeded',
      intent({ status: 'succeeded', capture_method: 'manual', amount_received: 600 }),
      { says: nothing },
    ],
    [
      'payment_intent.payment_failed',
      intent({
        last_payment_error: {
          type: 'card_error',
          code: 'card_declined',
          decline_code: 'lost_card',
          message: 'No',
        },
      }),
      { says: movement('sale', false, { code: 'lost_card', description: 'No' }) },
    ],
    [
      'payment_intent.canceled',
      intent({ status: 'canceled' }),
      { says: movement('cancel', true), amount: 1000 },
    ],
    [
      'payment_intent.canceled',
      intent({ status: 'canceled', cancellation_reason: 'automatic' }),
      { says: { kind: 'hold_ended' } },
    ],
    [
      'payment_intent.canceled',
      intent({ status: 'canceled', cancellation_reason: 'abandoned', latest_charge: null }),
      { says: nothing },
    ],
    [
      'charge.captured',
      charge({ amount_captured: 600 }),
      { says: movement('capture', true), amount: 600, externalId: 'ch_1', saleId: 'pi_1' },
    ],
    ['charge.expired', charge(), { says: { kind: 'hold_ended' }, saleId: 'pi_1' }],
    [
      'refund.created',
      refund({ metadata: { attempt_id: 'r1' }, status: 'pending' }),
      { says: movement('refund', true), amount: 300, attemptId: 'r1', externalId: 're_1', saleId: 'pi_1' },
    ],
    ['refund.created', refund(), { says: movement('refund', true), attemptId: null, saleId: 'pi_1' }],
    [
      'refund.failed',
      refund({ status: 'failed', failure_reason: 'expired_or_canceled_card' }),
      { says: movement('refund', false, { code: 'expired_or_canceled_card' }) },
    ],
    [
      'refund.updated',
      refund({ status: 'canceled' }),
      { says: movement('refund', false, { code: 'canceled' }) },
    ],
    ['refund.updated', refund(), { says: nothing }],
    [
      'charge.dispute.created',
      disputeLike({ id: 'dp_1', payment_intent: 'pi_1' }),
      { says: { kind: 'dispute', disputeId: 'dp_1' }, saleId: 'pi_1', externalId: 'dp_1', amount: 1000 },
    ],
    ['charge.dispute.updated', disputeLike({ id: 'dp_1' }), { says: { kind: 'dispute' }, saleId: null }],
    [
      'charge.dispute.closed',
      disputeLike({ id: 'dp_1', payment_intent: 'pi_1', status: 'lost' }),
      { key: 'evt_1', says: { kind: 'dispute', status: 'lost', stage: 'chargeback' } },
    ],
    ['charge.refunded', charge(), { says: nothing }],
    ['customer.created', {}, { says: nothing }],
    ['constructor', {}, { says: nothing }],
  ])('%s of %j', (type, object, news) => {
    expect(newsOf(type, object)).toMatchObject({
      name: type,
      at: new Date('2026-11-27T02:59:58.000Z'),
      ...news,
    })
  })

  it('with the currency as ours, and the attempt that the payment bears', () => {
    expect(newsOf('charge.captured', charge({ amount_captured: 600 }))).toMatchObject({
      ...{ key: 'evt_1', attemptId: 'a1', currency: 'AUD' },
    })
  })

  it('once that a refund has failed, by whichever event', () => {
    const failed = refund({ status: 'failed', failure_reason: 'unknown' })
    const keys = ['refund.failed', 'refund.updated', 'charge.refund.updated'].map(
      (type) => newsOf(type, failed, { id: `evt_${type}` })?.key,
    )
    expect(new Set(keys)).toEqual(new Set(['refund failed re_1']))
  })

  it('nothing of a payment that was not made here', () => {
    expect(newsOf('payment_intent.succeeded', intent({ metadata: {} }))?.says).toEqual(nothing)
    expect(newsOf('charge.captured', charge({ metadata: {} }))?.says).toEqual(nothing)
  })
})

it('what lets a browser go on with a payment is not kept', () => {
  const secret = 'pi_1PgafyB7WZ01zgkW_secret_Dm43xiq1k0ywrRRj'
  const url = `https://hooks.stripe.com/3d?merchant=acct_1&client_secret=${secret}&source=src_1`
  const asked = intent({ client_secret: secret, next_action: { redirect_to_url: { url } } })
  const news = newsOf('payment_intent.requires_action', asked)
  expect(JSON.stringify(news)).not.toContain('Dm43xiq1')
  expect(news?.sent).toMatchObject({ id: 'evt_1', data: { object: { id: 'pi_1', amount: 1000 } } })
})

describe('what can’t be understood is kept with why', () => {
  it.each<[string, object, Change, RegExp]>([
    ['charge.captured', { id: 'ch_1' }, {}, /charge\.captured, and it is not as documented/],
    ['charge.dispute.created', {}, {}, /a dispute that is not as documented/],
    [
      'charge.dispute.created',
      disputeLike({ id: 'dp_1', evidence_details: { due_by: 1e300, submission_count: 0 } }),
      {},
      /a dispute that is not as documented/,
    ],
    ['charge.something_new', charge(), {}, /does not know Stripe's event charge\.something_new/],
    ['charge.captured', charge(), { livemode: true }, /of Stripe's live mode, and this account's key is not/],
    ['charge.captured', charge(), { account: 'acct_2' }, /of another account/],
  ])('%s of %j, changed by %j', (type, object, change, why) => {
    const says = newsOf(type, object, change)?.says
    expect(says).toMatchObject({ kind: 'unknown' })
    expect(says?.kind === 'unknown' && says.why).toMatch(why)
  })

  it.each([
    '{"object":"list"}',
    'no JSON',
    '[]',
    event('charge.captured', charge()).replace(/"created":\d+/, '"created":1e300'),
    event('charge.captured', charge()).replace('"ch_1"', `${'['.repeat(50_000)}${']'.repeat(50_000)}`),
    event('charge.captured', charge()).replace('"livemode"', '"livemode":true,"livemode"'),
  ])('%.40s', (body) => {
    const [news] = read(body) ?? []
    expect(news?.key).toMatch(/^[\da-f]{64}$/)
    expect(news?.says).toMatchObject({ kind: 'unknown' })
  })

  it('by the same key however often it comes', () => {
    expect(read('no JSON')).toEqual(read('no JSON', signed('no JSON', SECONDS - 60)))
  })
})
