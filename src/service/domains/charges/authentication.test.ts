import { describe, expect, it } from 'vitest'
import { endedBy, pendingAuthentication, reopened, withTransStatus, wordsOfReason } from './authentication.ts'
import type { SaleEnd } from './authentication.ts'

const result = {
  version: '2.2.0',
  flow: 'challenge',
  transStatus: null,
  transStatusReason: null,
  eci: null,
  dsTransId: null,
  isLiabilityShifted: null,
} as const
const createId = () => 'new'
const asked = {
  ...pendingAuthentication('a', 'bank'),
  askedAt: '2026-11-27T10:00:00Z',
  expiresAt: '2026-11-27T10:15:00Z',
}
const approved: SaleEnd = { isApproved: true, reason: null, result: null, left: null }
const declined = (reason: SaleEnd['reason'], left: SaleEnd['left'] = null): SaleEnd => ({
  isApproved: false,
  reason,
  result: null,
  left,
})

describe('an authentication whose sale has ended', () => {
  it.each([
    ['Y', 'authenticated'],
    ['A', 'attempted'],
    ['N', 'failed'],
    ['R', 'failed'],
    ['U', 'unavailable'],
    ['I', 'unavailable'],
    ['C', 'unavailable'],
  ])('by the bank’s %s is %s', (transStatus, status) => {
    const end = { ...approved, result: { ...result, transStatus } }
    const isPassed = status === 'authenticated' || status === 'attempted'
    expect(endedBy(asked, end, createId)).toMatchObject({
      id: 'a',
      status,
      passedId: isPassed ? 'new' : null,
    })
    expect(endedBy(null, end, createId)).toMatchObject({ id: 'new', status, askedAt: null })
  })

  it.each([
    ['approved, where the gateway does not say how', approved, 'authenticated'],
    ['declined by the issuer, where the gateway does not say how', declined('do_not_honour'), 'unavailable'],
    ['not confirmed', declined('authentication_failed'), 'failed'],
    ['cancelled', declined('not_authenticated', 'cancelled'), 'cancelled'],
    ['not finished', declined('not_authenticated'), 'timed_out'],
  ])('and was %s', (_words, end, status) => {
    expect(endedBy(asked, end, createId)?.status).toBe(status)
  })

  it('is none where no bank took part', () => {
    expect(endedBy(null, approved, createId)).toBeNull()
  })

  it('was pending before, if somebody was asked', () => {
    const ended = endedBy(asked, approved, createId)
    expect(reopened(ended)).toEqual(asked)
    expect(reopened(endedBy(null, { ...approved, result }, createId))).toBeNull()
    expect(reopened(null)).toBeNull()
  })
})

it('every reason that EMV 3-D Secure names has words of its own; one of a scheme is told by its code', () => {
  const codes = Array.from({ length: 26 }, (_, at) => String(at + 1).padStart(2, '0'))
  expect(new Set(codes.map(wordsOfReason)).size).toBe(26)
  expect(codes.map(wordsOfReason).join(' ')).not.toContain('the reason')
  expect(wordsOfReason('22')).toBe('The bank’s service had a fault.')
  expect(wordsOfReason('87')).toBe('The bank gave the reason 87.')
})

describe("another provider's authentication has the transaction status", () => {
  const made = {
    version: '2.2.0',
    cryptogram: 'AAABAWFlmQAAAABjRWWZEEFgFz8=',
    ds_trans_id: '8835f5bd-6e3b-4a3c-9d51-0b5a3b1f2c4d',
  } as const

  it.each([
    ['05', 'visa', 'Y'],
    ['06', 'amex', 'A'],
    ['07', 'visa', undefined],
    ['02', 'mastercard', 'Y'],
    ['01', 'mastercard', 'A'],
    ['06', 'mastercard', undefined],
    ['00', 'maestro', undefined],
  ])('that its ECI says: %s of %s', (eci, scheme, status) => {
    expect(withTransStatus({ ...made, eci }, scheme).trans_status).toBe(status)
  })

  it('that it was given', () => {
    expect(withTransStatus({ ...made, eci: '05', trans_status: 'A' }, 'visa').trans_status).toBe('A')
  })
})
