import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Agreement } from '../agreement.ts'
import { madeTerms } from '../testing/made-agreement.ts'
import { writeEvent } from '../../events/write-event.ts'
import { cents } from './testing/cents.ts'
import { openPaymentsBed } from './testing/payments-bed.ts'
import type { PaymentsBed } from './testing/payments-bed.ts'

let bed: PaymentsBed
beforeAll(async () => {
  bed = await openPaymentsBed(writeEvent, '2026-11-25T01:00:00Z')
})
afterAll(() => bed.close())

const request = { amount: cents('10.00'), reference: 'r', last_payment: false }
const pay = (agreement: Agreement) => bed.accept(agreement, request)
const RACERS = 64

/** How many of many requests at once were accepted, and the codes of the others. */
async function race(agreement: Agreement, beside: () => Promise<unknown> = () => Promise.resolve()) {
  const asked = Array.from({ length: RACERS }, () => pay(agreement))
  const [results] = await Promise.all([Promise.allSettled(asked), beside()])
  const refused = results.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
  return { accepted: RACERS - refused.length, refused }
}

describe('of 64 payments at once', () => {
  it.each([
    ['one of a oneoff', { type: 'oneoff' } as const, 1],
    ['seven of at most seven', { maxPayments: 7 }, 7],
    [
      'three of three in a period',
      { type: 'recurring', terms: madeTerms({ frequency: 'weekly', countPerPeriod: 3 }) } as const,
      3,
    ],
    [
      'one after its day',
      { type: 'recurring', terms: madeTerms({ frequency: 'monthly', pointInPeriod: 25 }) } as const,
      1,
    ],
  ])('%s is accepted', async (_, overrides, max) => {
    const agreement = await bed.makeAgreement(overrides)
    const { accepted, refused } = await race(agreement)
    expect(accepted).toBe(max)
    expect(await bed.paymentsOf(agreement.id)).toHaveLength(max)
    for (const error of refused) expect(error).toMatchObject({ code: 'outside_terms' })
  })

  it('none is accepted once the agreement is cancelled', async () => {
    const agreement = await bed.makeAgreement()
    const change = {
      type: 'cancelled',
      by: 'creditor',
      noticeId: null,
      reason: null,
      instruction: null,
    } as const
    const cancel = () =>
      bed.agreements.change(
        agreement,
        { status: 'cancelled' },
        { ...change, id: bed.createId(), at: new Date() },
      )
    const { accepted, refused } = await race(agreement, cancel)
    expect(await bed.paymentsOf(agreement.id)).toHaveLength(accepted)
    for (const error of refused) expect(error).toMatchObject({ code: 'unfulfilled_condition' })
    await expect(pay(agreement)).rejects.toMatchObject({ code: 'unfulfilled_condition' })
  })
})

it('a payment that has failed does not count', async () => {
  const agreement = await bed.makeAgreement({ type: 'oneoff' }, 'insufficient')
  const { id } = await pay(agreement)
  await bed.send()
  expect(await bed.payments.get(agreement.merchantId, id)).toMatchObject({ status: 'failed' })
  expect(await pay(agreement)).toMatchObject({ status: 'received' })
})

it('nobody sees or makes payments of another merchant', async () => {
  const agreement = await bed.makeAgreement()
  const { id } = await pay(agreement)
  const other = '6b0179918a1c5e0b3d2f4aff'
  await expect(bed.payments.get(other, id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(bed.accept({ ...agreement, merchantId: other }, request)).rejects.toMatchObject({
    code: 'not_found',
  })
})
