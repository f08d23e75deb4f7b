import { describe, expect, it } from 'vitest'
import { CHARGE_CHANGES } from '../../../contract/api/charges/charge-resource.ts'
import { chargeAt, chargeEvent } from './attempt-outcome.ts'
import { pendingAuthentication } from './authentication.ts'
import { cents, madeAttempt, madeCharge } from './testing/made-charge.ts'

const OVER = 'authorisation_expired'

const EVENTS = [
  ['sale', 'approved', null, 'pending', 'charge.authorised'],
  ['sale', 'approved', null, 'complete', 'charge.captured'],
  ['sale', 'declined', null, 'failed', 'charge.failed'],
  ['sale', 'unreachable', null, 'failed', 'charge.failed'],
  ['sale', 'not_received', null, 'failed', 'charge.failed'],
  ['capture', 'approved', null, 'complete', 'charge.captured'],
  ['capture', 'declined', null, 'pending', 'charge.capture_failed'],
  ['refund', 'approved', null, 'refunded', 'charge.refunded'],
  ['refund', 'not_received', null, 'complete', 'charge.refund_failed'],
  ['cancel', 'approved', null, 'cancelled', 'charge.cancelled'],
  ['cancel', 'declined', null, 'pending', 'charge.cancel_failed'],
  ['cancel', 'approved', OVER, 'cancelled', 'charge.expired'],
  ['cancel', 'declined', OVER, 'cancelled', 'charge.expired'],
  ['cancel', 'declined', OVER, 'pending', 'charge.release_failed'],
  ['cancel', 'unreachable', OVER, 'pending', 'charge.release_failed'],
] as const

describe('the event of an attempt', () => {
  it.each(EVENTS)(
    '%s %s (because of %s) that leaves the charge %s: %s',
    (type, outcome, reason, status, event) => {
      const attempt = madeAttempt({ type, outcome, reason, amount: cents('7.00') })
      expect(chargeEvent(madeCharge(), attempt, status)).toEqual({
        type: event,
        actor: reason === null ? 'merchant' : 'service',
        facts: { attempt: type, outcome, amount: 700, currency: 'AUD', status },
      })
    },
  )

  it('says which user of the dashboard asked for it', () => {
    const attempt = madeAttempt({ type: 'capture', userId: 'u1' })
    expect(chargeEvent(madeCharge(), attempt, 'complete').actor).toBe('user:u1')
  })

  it.each([
    ['cancelled', 'card_holder'],
    ['timed_out', 'service'],
  ] as const)('says who ended a sale that nobody confirmed at the bank: %s', (status, actor) => {
    const authentication = { ...pendingAuthentication('a1', 'gateway'), status }
    const attempt = madeAttempt({
      outcome: 'declined',
      declineReason: 'not_authenticated',
      userId: 'u1',
      authentication,
    })
    expect(chargeEvent(madeCharge(), attempt, 'not_authenticated').actor).toBe(actor)
  })

  it('says why it was declined', () => {
    const attempt = madeAttempt({ outcome: 'declined', declineReason: 'suspected_fraud' })
    expect(chargeEvent(madeCharge(), attempt, 'failed').facts).toMatchObject({
      decline_reason: 'suspected_fraud',
    })
  })

  it('is of every type that a webhook can ask for, but those of authentications and the one about words', () => {
    const types = EVENTS.map(([, , , , type]) => type)
    expect(CHARGE_CHANGES.filter((change) => !types.some((type) => type === `charge.${change}`))).toEqual([
      'authentication_required',
      'authenticated',
      'not_authenticated',
      'updated',
    ])
  })
})

describe('a charge as it was at a moment', () => {
  const second = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, seconds))
  const attempt = madeAttempt({
    ...{ createdAt: second(0), settledAt: second(9) },
    authentication: {
      ...{ id: 'd1', status: 'authenticated', askedBy: 'gateway', passedId: 'p1', result: null },
      ...{ askedAt: second(2).toISOString(), expiresAt: second(902).toISOString() },
    },
  })
  it.each([
    [1, 'processing', undefined],
    [3, 'pre_authentication_pending', 'pending'],
    [9, 'pending', 'authenticated'],
  ])('%i s after it began, with a card holder who is asked from 2 s to 9 s: %s', (at, status, shown) => {
    const then = chargeAt(madeCharge({ createdAt: second(0), attempts: [attempt] }), second(at))
    expect([then.status, then.attempts[0]?.authentication?.status]).toEqual([status, shown])
  })
})
