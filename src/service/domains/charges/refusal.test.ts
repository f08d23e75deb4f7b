import { describe, expect, it } from 'vitest'
import { answeredError } from '../../platform/http/answers/error-answer.ts'
import { outcomeUnknown, attemptRefusalOf, toServiceError } from './refusal.ts'

const failed = { type: 'sale', outcome: 'declined', declineReason: null } as const

describe('why an attempt failed', () => {
  it.each([
    ['do_not_honour', 'transaction_declined', 'issuer declined'],
    ['insufficient_funds', 'insufficient_funds', 'too little'],
    ['expired_card', 'credit_card_invalid_or_expired', 'has expired'],
    ['suspected_fraud', 'fraud_warning', 'suspects fraud'],
    ['authorisation_expired', 'authorisation_expired', 'hold is over'],
    ['invalid_transaction', 'transaction_declined', 'refused the transaction'],
    [null, 'transaction_declined', 'issuer declined'],
  ] as const)('declined as %s is %s', (declineReason, code, words) => {
    const refusal = attemptRefusalOf({ ...failed, declineReason })
    expect(refusal?.code).toBe(code)
    expect(refusal?.message).toContain(words)
  })

  it.each([
    ['sale', 'unreachable', 'The token is still good: send the same request again', 5],
    ['capture', 'unreachable', 'nothing was moved. Try again', 5],
    ['sale', 'not_received', 'with a new token and a new Idempotency-Key', undefined],
    ['capture', 'not_received', 'Nothing was moved; try again.', 5],
    ['cancel', 'not_received', 'Nothing was moved; try again.', 5],
    ['refund', 'not_received', 'Nothing was moved; try again.', 5],
  ] as const)('%s %s is gateway_unavailable', (type, outcome, words, retryAfter) => {
    const refusal = attemptRefusalOf({ ...failed, type, outcome })
    expect(refusal?.code).toBe('gateway_unavailable')
    expect(refusal?.message).toContain(words)
    expect(refusal?.retryAfter).toBe(retryAfter)
  })

  it.each(['approved', 'open'] as const)('%s is no failure', (outcome) => {
    expect(attemptRefusalOf({ ...failed, outcome })).toBeNull()
  })
})

describe('the error of a failed attempt', () => {
  const charge = { _id: 'c1' }

  it('carries the charge as it stands', () => {
    const error = toServiceError({ code: 'fraud_warning', message: 'Words.' }, charge)
    expect(error).toMatchObject({
      code: 'fraud_warning',
      message: 'Words.',
      resource: charge,
      retryAfter: undefined,
    })
  })

  it('says when to try again where that is of use', () => {
    const refusal = { code: 'gateway_unavailable', message: 'Words.', retryAfter: 5 } as const
    const error = toServiceError(refusal, charge)
    expect(error).toMatchObject({ code: 'gateway_unavailable', resource: charge, retryAfter: 5 })
  })
})

describe('the error of an attempt that got no answer', () => {
  it.each([
    ['sale', 'read the charge until it is no longer processing.'],
    ['capture', 'read the charge until its newest transaction is no longer pending.'],
    ['cancel', 'read the charge until its newest transaction is no longer pending.'],
    ['refund', 'read the charge until its newest transaction is no longer pending.'],
  ] as const)('of a %s says: repeat it, or %s', (type, reading) => {
    const unknown = outcomeUnknown(type, { _id: 'c1' })
    expect(unknown).toMatchObject({ code: 'outcome_unknown', resource: { _id: 'c1' }, retryAfter: 10 })
    expect(unknown.message).toContain(
      'Repeat it under its Idempotency-Key after Retry-After; without a key only',
    )
    expect(unknown.message).toContain(reading)
    expect(answeredError(unknown).message).toBe(unknown.message)
  })
})
