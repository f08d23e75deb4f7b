import { describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../../contract/api/envelope.ts'
import { ServiceError } from '../../platform/errors.ts'
import {
  checkoutExpired,
  decideCancel,
  decidePayment,
  failureOf,
  faultsOf,
  LIFETIME_SECONDS,
  takesCards,
} from './intent.ts'
import type { JourneyStep } from './intent.ts'
import { madeIntent } from '../../testing/made-intent.ts'

/** The code and words that a decision ends in; `yes` when it may go on. */
function decided(decide: () => void): string {
  try {
    decide()
    return 'yes'
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return `${error.code}: ${error.message}`
  }
}

const OVER = /^checkout_expired: The time for this payment is over and nothing was taken/
const CANCELLED = /^unfulfilled_condition: The shop has cancelled this checkout/
const BUSY = /^request_in_progress: A payment of this checkout is under way/
const TRIED = /^unfulfilled_condition: Too many payments have failed/
const YES = /^yes$/
const notActive = (status: string) =>
  new RegExp(`^unfulfilled_condition: The checkout is ${status}; only an active`)

describe('what may be done with a checkout', () => {
  it.each([
    // A completed one is answered as paid before it comes to this.
    ['active', null, YES, YES],
    ['active', 'c1', BUSY, BUSY],
    ['expired', null, OVER, notActive('expired')],
    ['expired', 'c1', OVER, notActive('expired')],
    ['cancelled', null, CANCELLED, notActive('cancelled')],
    ['cancelled', 'c1', CANCELLED, notActive('cancelled')],
    ['completed', 'c1', BUSY, notActive('completed')],
  ] as const)('that is %s, with the charge %s: pay %s, cancel %s', (status, chargeId, pay, cancel) => {
    const intent = madeIntent({ status, chargeId })
    expect(decided(() => decidePayment(intent))).toMatch(pay)
    expect(decided(() => decideCancel(intent))).toMatch(cancel)
  })

  it.each([
    [9, undefined, YES],
    [10, undefined, TRIED],
    [11, undefined, TRIED],
    [0, 1, YES],
    [1, 1, TRIED],
    [2, 3, YES],
    [3, 3, TRIED],
  ] as const)('after %i tries of at most %s: %s', (tries, most_tries, pay) => {
    const content = { capture: 'now', ...(most_tries !== undefined && { most_tries }) } as const
    const configuration = { templateId: null, revision: null, content }
    expect(decided(() => decidePayment(madeIntent({ tries, configuration })))).toMatch(pay)
  })

  it.each([
    ['active', null, 9, true],
    ['active', null, 10, false],
    // It may not reach the gateway, which counts as no try.
    ['active', 'c1', 10, true],
    ['expired', null, 0, false],
    ['cancelled', null, 0, false],
    ['completed', 'c1', 1, false],
  ] as const)(
    'that is %s, with the charge %s, after %i tries: takes cards %j',
    (status, chargeId, tries, takes) => {
      expect(takesCards(madeIntent({ status, chargeId, tries }))).toBe(takes)
    },
  )

  it('says when to ask again while a payment is under way', () => {
    expect(() => decideCancel(madeIntent({ chargeId: 'c1' }))).toThrow(
      expect.objectContaining({ retryAfter: 1 }),
    )
  })

  it('ends after 16 minutes, in these words', () => {
    expect(LIFETIME_SECONDS).toBe(960)
    expect(checkoutExpired().code).toBe('checkout_expired')
    expect(checkoutExpired().message).toMatch(/check out again\.$/)
  })
})

describe('why the last payment failed', () => {
  const step = (name: JourneyStep['step'], code?: ErrorCode): JourneyStep => ({
    step: name,
    at: new Date(0),
    ...(code !== undefined && { code }),
  })

  it.each([
    ['it was declined', [step('payment_failed', 'insufficient_funds')], 'insufficient_funds'],
    ['the gateway was out of reach', [step('payment_failed', 'gateway_unavailable')], null],
    ['no reason is known', [step('payment_failed')], null],
    ['another step came later', [step('payment_failed', 'fraud_warning'), step('viewed')], null],
    ['nothing has happened', [], null],
  ])('%s', (_name, journey, code) => {
    const intent = madeIntent({ journey, paymentSourceHash: Buffer.from('t1') })
    expect(failureOf(intent, Buffer.from('t1'))).toBe(code)
    expect(failureOf(intent, Buffer.from('t2'))).toBeNull()
  })
})

describe('the rules for cards', () => {
  const card = { takenAs: ['visa'], gatewayId: 'g1', given: { email: 'a@example.com', phone: '' } }
  const other = { path: 'payment_source', message: 'was made for another gateway' }
  const missing = (path: string) => ({ path, message: 'is required' })
  const field = (
    name: 'email' | 'phone' | 'card_name' | 'card_number' | 'expire_month' | 'expire_year' | 'card_ccv',
    required = true,
  ) => ({ field: name, required })

  it('a card that is issued with another scheme is taken under either name', () => {
    const maestro = { ...card, takenAs: ['maestro', 'laser'] }
    expect(faultsOf(maestro, { capture: 'now', schemes: ['laser'] })).toEqual([])
    expect(faultsOf(maestro, { capture: 'now', schemes: ['maestro'] })).toEqual([])
    expect(faultsOf(maestro, { capture: 'now', schemes: ['solo'] })).toHaveLength(1)
  })

  describe('what a configuration has against a card', () => {
    it.each([
      ['that says nothing', {}, []],
      ['that takes its scheme', { schemes: ['mastercard', 'visa'] }, []],
      [
        'that takes other schemes',
        { schemes: ['mastercard', 'amex'] },
        [{ path: 'card_number', message: 'cards taken here: mastercard, amex' }],
      ],
      ['whose fields were given', { fields: [field('email')] }, []],
      ['whose field was left empty', { fields: [field('phone')] }, [missing('phone')]],
      ['whose field was left out', { fields: [field('card_name')] }, [missing('card_name')]],
      ['whose field need not be given', { fields: [field('phone', false)] }, []],
      [
        'whose fields every card has',
        { fields: [field('card_number'), field('expire_month'), field('expire_year'), field('card_ccv')] },
        [],
      ],
      ['of its gateway', { gateway_id: 'g1' }, []],
      ['of another gateway', { gateway_id: 'g2' }, [other]],
      [
        'of which much is wrong',
        { schemes: ['amex'], fields: [field('phone'), field('card_name')], gateway_id: 'g2' },
        [
          { path: 'card_number', message: 'cards taken here: amex' },
          missing('phone'),
          missing('card_name'),
          other,
        ],
      ],
    ] as const)('%s', (_name, configuration, faults) => {
      const { schemes, fields, ...rest } = { schemes: undefined, fields: undefined, ...configuration }
      const mutable = {
        ...rest,
        ...(schemes && { schemes: [...schemes] }),
        ...(fields && { fields: [...fields] }),
      }
      expect(faultsOf(card, { capture: 'now', ...mutable })).toEqual(faults)
    })

    it('of a card for any gateway, where one is asked for', () => {
      expect(faultsOf({ ...card, gatewayId: null }, { capture: 'now', gateway_id: 'g1' })).toEqual([other])
    })
  })
})
