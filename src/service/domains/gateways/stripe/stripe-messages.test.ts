import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  Intent,
  Refund,
  refundIn,
  saleIn,
  statementSuffixOf,
  toCreation,
  toDecline,
  toRefusal,
} from './stripe-messages.ts'
import { cents } from '../testing/gateway-bed.ts'
import { intentLike, refundLike } from './testing/stripe-shapes.ts'

const intent = (change: Record<string, unknown>) => v.parse(Intent, intentLike(change))

describe('the statement of the card', () => {
  it.each([
    ['Kestrel', 'Kestrel'],
    ['Order 1042-7', 'Order 1042'],
    ['Tickets, two', 'Tickets, t'],
    ['Marathon  2026', 'Marathon'],
    ['2026-11-27 A', null],
  ])('says of %j, beside the name of any account: %j', (descriptor, suffix) => {
    expect(statementSuffixOf(descriptor)).toBe(suffix)
  })

  it('is the account’s own for a payment that names none', () => {
    const order = { attemptId: 'a1', amount: cents('10.00'), currency: 'AUD', capture: true }
    const made = (statementDescriptor: string | null) => toCreation({ ...order, statementDescriptor })
    expect(made('Kestrel')).toMatchObject({ params: { statement_descriptor_suffix: 'Kestrel' } })
    for (const none of [null, '2026-11-27 A'])
      expect(made(none)).not.toHaveProperty('params.statement_descriptor_suffix')
  })
})

describe('a decline has a reason by Stripe’s code', () => {
  it.each([
    ['insufficient_funds', 'insufficient_funds'],
    ['card_velocity_exceeded', 'insufficient_funds'],
    ['withdrawal_count_limit_exceeded', 'insufficient_funds'],
    ['expired_card', 'expired_card'],
    ['fraudulent', 'suspected_fraud'],
    ['lost_card', 'suspected_fraud'],
    ['stolen_card', 'suspected_fraud'],
    ['pickup_card', 'suspected_fraud'],
    ['merchant_blacklist', 'suspected_fraud'],
    ['card_not_supported', 'invalid_transaction'],
    ['currency_not_supported', 'invalid_transaction'],
    ['transaction_not_allowed', 'invalid_transaction'],
    ['testmode_decline', 'invalid_transaction'],
    ['do_not_honor', 'do_not_honour'],
    ['generic_decline', 'do_not_honour'],
    ['authentication_required', 'authentication_required'],
    ['authentication_not_handled', 'authentication_required'],
    ['payment_intent_authentication_failure', 'authentication_failed'],
    ['try_again_later', 'do_not_honour'],
    ['restricted_card', 'do_not_honour'],
    ['a_code_of_tomorrow', 'do_not_honour'],
  ])('%s: %s', (declineCode, reason) => {
    const answer = toDecline('pi_1', { code: 'card_declined', declineCode, message: 'Declined.' })
    expect(answer).toMatchObject({ kind: 'declined', code: declineCode, reason, externalId: 'pi_1' })
  })

  it.each([
    ['incorrect_number', 'invalid_transaction'],
    ['invalid_expiry_year', 'expired_card'],
    ['incorrect_cvc', 'do_not_honour'],
    ['processing_error', 'do_not_honour'],
  ])('%s, without a code of the issuer: %s', (code, reason) => {
    expect(toDecline('pi_1', { code, declineCode: '', message: '' })).toMatchObject({ code, reason })
  })

  it('and has one if Stripe gives no code at all', () => {
    const answer = toDecline('pi_1', { code: '', declineCode: '', message: '' })
    expect(answer).toMatchObject({ code: 'declined', description: 'declined', reason: 'do_not_honour' })
  })
})

describe('a payment says of its sale', () => {
  it.each([
    ['requires_capture', 'approved'],
    ['succeeded', 'approved'],
    ['requires_action', 'asks'],
    ['requires_payment_method', 'unpaid'],
    ['requires_confirmation', 'unpaid'],
    ['canceled', 'cancelled'],
    ['processing', 'unknown'],
    ['a_status_of_tomorrow', 'unknown'],
  ])('%s: %s', (status, kind) => {
    expect(saleIn(intent({ status })).kind).toBe(kind)
  })

  it('that it was declined, also after it was cancelled', () => {
    const last_payment_error = { type: 'card_error', code: 'expired_card', message: 'Expired.' }
    for (const status of ['requires_payment_method', 'canceled'])
      expect(saleIn(intent({ status, last_payment_error }))).toMatchObject({ reason: 'expired_card' })
  })

  it('how long it is held, seven days where Stripe does not say', () => {
    const latest_charge = (change: object) => ({
      ...{ id: 'ch_1', created: 1000 },
      payment_method_details: { card: { capture_before: null, ...change } },
    })
    const held = (change: object) =>
      saleIn(intent({ status: 'requires_capture', latest_charge: latest_charge(change) }))
    expect(held({ capture_before: 4600 })).toMatchObject({ holdSeconds: 3600 })
    expect(held({})).toMatchObject({ holdSeconds: 604_800 })
    expect(saleIn(intent({ status: 'requires_capture', latest_charge: 'ch_1' }))).toMatchObject({
      holdSeconds: 604_800,
    })
  })
})

it.each([
  ['succeeded', 'approved'],
  ['pending', 'approved'],
  ['failed', 'declined'],
  ['canceled', 'declined'],
  ['requires_action', 'unknown'],
  [null, 'unknown'],
])('a refund that is %s is %s', (status, kind) => {
  expect(refundIn(v.parse(Refund, refundLike({ status }))).kind).toBe(kind)
})

it.each([
  ['charge_expired_for_capture', {}, 'authorisation_expired'],
  ['payment_intent_unexpected_state', { cancellation_reason: 'automatic' }, 'authorisation_expired'],
  [
    'payment_intent_unexpected_state',
    { cancellation_reason: 'requested_by_customer' },
    'invalid_transaction',
  ],
  ['amount_too_large', {}, 'invalid_transaction'],
])('a refusal with %s of %j is for %s', (code, change, reason) => {
  const fault = {
    type: 'invalid_request_error',
    code,
    declineCode: '',
    message: 'No',
    intent: intentLike(change),
  }
  expect(toRefusal('pi_1', fault)).toMatchObject({ kind: 'declined', code, reason })
})
