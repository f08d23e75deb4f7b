import { describe, expect, it } from 'vitest'
import { paymentAt } from './payment.ts'
import type { Payment } from './payment.ts'
import { cents } from './testing/cents.ts'

const at = (minute: number) => new Date(`2026-11-25T01:0${String(minute)}:00Z`)
const failed: Payment = {
  id: '6b017a0c84f819f4cecbe1b2',
  agreementId: '6b01799184f819f4cecbe1a7',
  merchantId: '6b01799184f819f4cecbe1a8',
  agreementVersion: 0,
  status: 'failed',
  amount: cents('10.00'),
  reference: 'r',
  description: null,
  isLast: false,
  dueOn: null,
  countsOn: '2026-11-25',
  failure: { code: 'refused', message: 'No.' },
  networkReference: 'n-1',
  createdAt: at(0),
  sentAt: at(1),
  investigatedAt: at(2),
  endedAt: at(3),
  updatedAt: at(3),
}
const begun = { failure: null, networkReference: null, investigatedAt: null, endedAt: null }

describe('a payment as it was right after an event', () => {
  it.each([
    ['payment.received', { ...begun, status: 'received', sentAt: null, updatedAt: at(0) }],
    ['payment.processing', { ...begun, status: 'processing', updatedAt: at(1) }],
    [
      'payment.under_investigation',
      { status: 'under_investigation', failure: null, endedAt: null, updatedAt: at(2) },
    ],
    ['payment.failed', {}],
  ])('%s', (type, changes) => {
    expect(paymentAt(failed, type)).toEqual({ ...failed, ...changes })
  })
})
