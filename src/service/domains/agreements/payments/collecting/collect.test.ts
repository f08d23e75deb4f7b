import { afterEach, describe, expect, it } from 'vitest'
import { madeTerms } from '../../testing/made-agreement.ts'
import { writeEvent } from '../../../events/write-event.ts'
import { cents } from '../testing/cents.ts'
import { openPaymentsBed } from '../testing/payments-bed.ts'
import type { PaymentsBed } from '../testing/payments-bed.ts'

let bed: PaymentsBed
afterEach(() => bed.close())

const monthlyOn = (point: number) => ({
  type: 'recurring' as const,
  startDate: '2026-01-01',
  terms: madeTerms({ frequency: 'monthly', pointInPeriod: point }),
})
const daily = {
  type: 'recurring' as const,
  startDate: '2026-01-01',
  terms: madeTerms({ frequency: 'daily', pointInPeriod: 1 }),
}
const historyOf = async (id: string) => (await bed.agreements.history(id)).map(({ type }) => type)

describe('the service collects', () => {
  it.each([
    ['in summer time', '2026-11-14T12:59:59.999Z', '2026-11-14T13:00:00.000Z', '2026-11-15'],
    [
      'on the day that summer time ends',
      '2026-04-04T12:59:59.999Z',
      '2026-04-04T13:00:00.000Z',
      '2026-04-05',
    ],
    ['the day after', '2026-04-05T13:59:59.999Z', '2026-04-05T14:00:00.000Z', '2026-04-06'],
    [
      'on the day that summer time begins',
      '2026-10-03T13:59:59.999Z',
      '2026-10-03T14:00:00.000Z',
      '2026-10-04',
    ],
    ['the day after that', '2026-10-04T12:59:59.999Z', '2026-10-04T13:00:00.000Z', '2026-10-05'],
  ])('from midnight in Sydney, %s', async (_, before, midnight, day) => {
    bed = await openPaymentsBed(writeEvent, before)
    const { id } = await bed.makeAgreement({ ...daily, nextDueOn: day })
    await bed.collect()
    expect(await bed.paymentsOf(id)).toEqual([])
    bed.setTime(midnight)
    await Promise.all([bed.collect(), bed.startProcess().collect()])
    await bed.collect()
    const payments = await bed.paymentsOf(id)
    expect(payments).toMatchObject([{ dueOn: day, status: 'received', amount: 1000, reference: id }])
    expect((await bed.agreements.find(id))?.nextDueOn).toBe(day.replace(/\d\d$/, nextOf))
    expect(await bed.eventsOf(payments[0]?.id ?? '')).toEqual(['payment.received'])
  })

  it('takes the money once, also after the database was restored from before it did', async () => {
    bed = await openPaymentsBed(writeEvent, '2026-03-12T01:00:00Z')
    const { id } = await bed.makeAgreement({ ...daily, nextDueOn: '2026-03-12' })
    await bed.collect()
    await bed.send()
    await bed.database.script(`
      DELETE FROM agreement_payments WHERE agreement_id = '${id}';
      UPDATE agreements SET next_due_on = '2026-03-12', due_days_done_until = NULL WHERE id = '${id}'`)
    await bed.collect()
    await bed.send()
    expect(await bed.paymentsOf(id)).toMatchObject([{ dueOn: '2026-03-12', status: 'settled' }])
    expect(await bed.ledger.paymentsOf(id, 10)).toMatchObject([{ amount: 1000, timesAsked: 2 }])
  })

  it('makes up for five days, each once, and skips what is older, which the history says once', async () => {
    bed = await openPaymentsBed(writeEvent, '2026-03-12T01:00:00Z')
    const { id } = await bed.makeAgreement({ ...daily, nextDueOn: '2026-03-03' })
    await Promise.all([bed.collect(), bed.startProcess().collect(), bed.startProcess().collect()])
    const days = ['07', '08', '09', '10', '11', '12'].map((day) => `2026-03-${day}`)
    expect((await bed.paymentsOf(id)).map(({ dueOn }) => dueOn)).toEqual(days)
    expect(await historyOf(id)).toEqual(['accepted', 'collection_skipped'])
    const [, skipped] = await bed.agreements.history(id)
    expect(skipped?.reason?.text).toContain('from 2026-03-03 to 2026-03-06')
    expect(await bed.eventsOf(id)).toContain('agreement.collection_skipped')
    expect((await bed.agreements.find(id))?.nextDueOn).toBe('2026-03-13')
  })

  it('counts a late payment for the period of its day, and leaves the next period its own', async () => {
    bed = await openPaymentsBed(writeEvent, '2026-03-03T01:00:00Z')
    const { id } = await bed.makeAgreement({ ...monthlyOn(31), nextDueOn: '2026-02-28' })
    await bed.collect()
    bed.setTime('2026-03-31T01:00:00Z')
    await bed.collect()
    expect((await bed.paymentsOf(id)).map(({ countsOn }) => countsOn)).toEqual(['2026-02-28', '2026-03-31'])
  })

  it('nothing while the agreement is suspended', async () => {
    bed = await openPaymentsBed(writeEvent, '2026-03-15T01:00:00Z')
    const { id } = await bed.makeAgreement({ ...monthlyOn(15), nextDueOn: '2026-03-15', status: 'suspended' })
    await bed.collect()
    expect(await bed.paymentsOf(id)).toEqual([])
  })

  it('not a second time where the merchant has been faster, which the history says', async () => {
    bed = await openPaymentsBed(writeEvent, '2026-03-15T01:00:00Z')
    const agreement = await bed.makeAgreement({ ...monthlyOn(15), nextDueOn: '2026-03-15' })
    await bed.accept(agreement, {
      amount: cents('10.00'),
      reference: 'r',
      last_payment: false,
    })
    await bed.collect()
    expect(await bed.paymentsOf(agreement.id)).toHaveLength(1)
    expect(await historyOf(agreement.id)).toEqual(['accepted', 'collection_skipped'])
  })

  it('the first and the last payment on their days, with their amounts, under the reference of the agreement', async () => {
    bed = await openPaymentsBed(writeEvent, '2026-01-20T01:00:00Z')
    const { id } = await bed.makeAgreement({
      ...monthlyOn(15),
      endDate: '2026-03-31',
      reference: 'member-1',
      terms: madeTerms({
        frequency: 'monthly',
        pointInPeriod: 15,
        firstPayment: { date: '2026-01-20', amount: cents('5.00') },
        lastPayment: { date: '2026-03-28', amount: cents('3.00') },
      }),
    })
    for (const day of ['01-20', '02-15', '03-28', '04-15']) {
      bed.setTime(`2026-${day}T01:00:00Z`)
      await bed.collect()
    }
    expect(await bed.paymentsOf(id)).toMatchObject([
      { dueOn: '2026-01-20', amount: 500, isLast: false, reference: 'member-1' },
      { dueOn: '2026-02-15', amount: 1000, isLast: false },
      { dueOn: '2026-03-28', amount: 300, isLast: true },
    ])
    expect((await bed.agreements.find(id))?.nextDueOn).toBeNull()
  })
})

function nextOf(day: string): string {
  return String(Number(day) + 1).padStart(2, '0')
}
