import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AgreementPaymentResource } from '../../../contract/api/agreements/agreement-payment-resource.ts'
import { createSetClock } from '../../testing/set-clock.ts'
import type { SetClock } from '../../testing/set-clock.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { findAgreement, historyOf } from './agreement-store.ts'
import { createCollector } from './collection.ts'
import { agreementCalls, agreementOf, debtor } from './testing/agreement-calls.ts'
import type { AgreementCalls } from './testing/agreement-calls.ts'
import { cents, madeTerms } from './testing/made-agreement.ts'
import { openPaymentsBed } from './testing/payments-bed.ts'
import type { PaymentsBed } from './testing/payments-bed.ts'

let bed: PaymentsBed

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
const typesOf = async (id: string) => (await historyOf(bed.database, id)).map(({ type }) => type)

describe('the service collects', () => {
  afterEach(() => bed.close())

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
    bed = await openPaymentsBed(before)
    const { id } = await bed.makeAgreement({ ...daily, nextDueOn: day })
    await bed.collect()
    expect(await bed.paymentsOf(id)).toEqual([])
    bed.setTime(midnight)
    await Promise.all([bed.collect(), bed.startProcess().collect()])
    await bed.collect()
    const payments = await bed.paymentsOf(id)
    expect(payments).toMatchObject([{ dueOn: day, status: 'received', amount: 1000, reference: id }])
    expect((await findAgreement(bed.database, id))?.nextDueOn).toBe(day.replace(/\d\d$/, nextOf))
    expect(await bed.eventsOf(payments[0]?.id ?? '')).toEqual(['payment.received'])
  })

  it('takes the money once, even from a database restored from before', async () => {
    bed = await openPaymentsBed('2026-03-12T01:00:00Z')
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

  it('makes up for five days and skips older ones, as the history says', async () => {
    bed = await openPaymentsBed('2026-03-12T01:00:00Z')
    const { id } = await bed.makeAgreement({ ...daily, nextDueOn: '2026-03-03' })
    await Promise.all([bed.collect(), bed.startProcess().collect(), bed.startProcess().collect()])
    const days = ['07', '08', '09', '10', '11', '12'].map((day) => `2026-03-${day}`)
    expect((await bed.paymentsOf(id)).map(({ dueOn }) => dueOn)).toEqual(days)
    expect(await typesOf(id)).toEqual(['accepted', 'collection_skipped'])
    const [, skipped] = await historyOf(bed.database, id)
    expect(skipped?.reason?.text).toContain('from 2026-03-03 to 2026-03-06')
    expect(await bed.eventsOf(id)).toContain('agreement.collection_skipped')
    expect((await findAgreement(bed.database, id))?.nextDueOn).toBe('2026-03-13')
  })

  it('counts a late payment for the period of its due day', async () => {
    bed = await openPaymentsBed('2026-03-03T01:00:00Z')
    const { id } = await bed.makeAgreement({ ...monthlyOn(31), nextDueOn: '2026-02-28' })
    await bed.collect()
    bed.setTime('2026-03-31T01:00:00Z')
    await bed.collect()
    expect((await bed.paymentsOf(id)).map(({ countsOn }) => countsOn)).toEqual(['2026-02-28', '2026-03-31'])
  })

  it('nothing while the agreement is suspended', async () => {
    bed = await openPaymentsBed('2026-03-15T01:00:00Z')
    const { id } = await bed.makeAgreement({ ...monthlyOn(15), nextDueOn: '2026-03-15', status: 'suspended' })
    await bed.collect()
    expect(await bed.paymentsOf(id)).toEqual([])
  })

  it('nothing that the merchant has paid itself, as the history says', async () => {
    bed = await openPaymentsBed('2026-03-15T01:00:00Z')
    const agreement = await bed.makeAgreement({ ...monthlyOn(15), nextDueOn: '2026-03-15' })
    await bed.accept(agreement, {
      amount: cents('10.00'),
      reference: 'r',
      last_payment: false,
    })
    await bed.collect()
    expect(await bed.paymentsOf(agreement.id)).toHaveLength(1)
    expect(await typesOf(agreement.id)).toEqual(['accepted', 'collection_skipped'])
  })

  it('the first and the last payment on their days, with their amounts', async () => {
    bed = await openPaymentsBed('2026-01-20T01:00:00Z')
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
    expect((await findAgreement(bed.database, id))?.nextDueOn).toBeNull()
  })
})

function nextOf(day: string): string {
  return String(Number(day) + 1).padStart(2, '0')
}

it('collecting stops in the middle of a day when it is told to', async () => {
  let taken = 0
  const collecting = createCollector(() => {
    taken += 1
    collecting.abort()
    return Promise.resolve(100)
  })
  await collecting.work()
  expect(taken).toBe(1)
})

describe('due days', () => {
  const DAY_MS = 86_400_000
  const suspend = { action: 'suspend', reason_code: 'dispute' }
  const daily = { amount_type: 'fixed', frequency: 'daily', point_in_period: 1 }

  let service: TestService
  let calls: AgreementCalls
  let clock: SetClock

  beforeEach(async () => {
    clock = createSetClock(Date.parse('2027-06-10T02:00:00Z'))
    service = await createTestService({ timeOfDay: clock.timeOfDay })
    calls = await agreementCalls(service)
  })
  afterEach(() => service.close())

  /** Under an access token of that time. */
  async function goForward(days: number): Promise<void> {
    clock.pass(days * DAY_MS)
    calls = await agreementCalls(service)
  }

  /** Collected day by day, and accepted in the bank on its first day, the 10th; the service has not heard of it yet. */
  async function accepted(change: object = {}): Promise<string> {
    const terms = { ...daily, amount: '1.00' }
    const overrides = {
      type: 'recurring',
      payment_terms: terms,
      debtor: debtor('approve@sandbox.example'),
      ...change,
    }
    const { _id: id } = agreementOf(await calls.create(overrides))
    await service.runJob('send instructions')
    return id
  }

  /** The same, heard of, and collected for that day. */
  async function collected(change: object = {}): Promise<string> {
    const id = await accepted(change)
    await service.runJob('receive notices')
    await service.runJob('collect due payments')
    await service.runJob('send payments')
    return id
  }

  const amend = (id: string) => calls.amend(id, { payment_terms: { ...daily, amount: '2.00' } })

  /** Its history after its beginning, its next due day, and the due days and amounts of its payments. */
  async function lookAt(id: string) {
    const { history, next_collection_date: next } = agreementOf(await calls.get(id))
    const authorization = `Bearer ${await service.accessToken()}`
    const page = await service.call({ url: `/agreements/${id}/payments`, headers: { authorization } })
    const payments = v.parse(v.array(AgreementPaymentResource), page.body.resource.data)
    return {
      types: history?.slice(2).map(({ type }) => type),
      next,
      payments: payments.map(({ due_on: dueOn, amount }) => [dueOn, amount]).sort(),
    }
  }

  describe('during a suspension', () => {
    it('are skipped by its release, as the history says', async () => {
      const id = await collected()
      await calls.changeStatus(id, suspend)
      await goForward(3)
      await calls.changeStatus(id, { action: 'release' })
      const { types, next } = await lookAt(id)
      expect(types).toEqual(['suspended', 'collection_skipped', 'released'])
      expect(next).toBe('2027-06-13')
    })

    it('are skipped by the expiry, as the history says', async () => {
      const id = await collected({ end_date: '2027-06-12' })
      await calls.changeStatus(id, suspend)
      await goForward(3)
      await service.runJob('end agreements')
      expect((await lookAt(id)).types).toEqual(['suspended', 'collection_skipped', 'expired'])
    })

    it('are skipped even if an amendment comes between', async () => {
      const id = await collected({ debtor: debtor() })
      await calls.answerAsDebtor(id, 'accept')
      await service.runJob('collect due payments')
      await amend(id)
      await calls.answerAsDebtor(id, 'suspend')
      await goForward(3)
      await calls.answerAsDebtor(id, 'accept_amendment')
      await calls.answerAsDebtor(id, 'release')
      const { types } = await lookAt(id)
      expect(types).toEqual(['amendment_requested', 'suspended', 'collection_skipped', 'amended', 'released'])
    })
  })

  describe('that were collected are not due again', () => {
    it('after a release on it', async () => {
      const id = await collected()
      await calls.changeStatus(id, suspend)
      await calls.changeStatus(id, { action: 'release' })
      await service.runJob('collect due payments')
      const { types, next } = await lookAt(id)
      expect(types).toEqual(['suspended', 'released'])
      expect(next).toBe('2027-06-11')
    })

    it('after an amendment on it', async () => {
      const id = await collected()
      await amend(id)
      await calls.exchange()
      await service.runJob('collect due payments')
      const { types, next } = await lookAt(id)
      expect(types).toEqual(['amendment_requested', 'amended'])
      expect(next).toBe('2027-06-11')
    })

    it('after amendments back and forth', async () => {
      const id = await collected()
      const byHand = { amount_type: 'variable', maximum_amount: '9.00', frequency: 'daily' }
      for (const payment_terms of [byHand, { ...daily, amount: '1.00' }]) {
        await calls.amend(id, { payment_terms })
        await service.runJob('send instructions')
        await service.runJob('receive notices')
        await service.runJob('collect due payments')
      }
      const { types, next, payments } = await lookAt(id)
      expect(types).toEqual(['amendment_requested', 'amended', 'amendment_requested', 'amended'])
      expect([next, payments]).toEqual(['2027-06-11', [['2027-06-10', 1]]])
    })
  })

  const days = (...numbers: number[]) => numbers.map((number) => [`2027-06-${String(number)}`, 1])

  describe('before the debtor is heard', () => {
    it('are collected after an acceptance', async () => {
      const id = await accepted()
      await goForward(2)
      await service.runJob('receive notices')
      await service.runJob('collect due payments')
      expect(await lookAt(id)).toEqual({ types: [], next: '2027-06-13', payments: days(10, 11, 12) })
    })

    it('are collected up to the end of the agreement', async () => {
      const id = await accepted({ end_date: '2027-06-11' })
      await goForward(3)
      for (const job of ['receive notices', 'end agreements', 'collect due payments', 'end agreements'])
        await service.runJob(job)
      expect(await lookAt(id)).toMatchObject({ types: ['expired'], payments: days(10, 11) })
    })

    it('are skipped after 5 days, as the history says', async () => {
      const id = await accepted()
      await goForward(6)
      await service.runJob('receive notices')
      await service.runJob('collect due payments')
      const { types, payments } = await lookAt(id)
      expect({ types, payments }).toEqual({
        types: ['collection_skipped'],
        payments: days(11, 12, 13, 14, 15, 16),
      })
    })

    it('are collected after a release, and skipped before it', async () => {
      const id = await collected({ debtor: debtor() })
      await calls.answerAsDebtor(id, 'accept')
      await service.runJob('collect due payments')
      await calls.answerAsDebtor(id, 'suspend')
      await goForward(2)
      const url = `/sandbox/bank/agreements/${id}/answers`
      await service.call({ method: 'POST', url, payload: { answer: 'release' } })
      await goForward(2)
      await service.runJob('receive notices')
      await service.runJob('collect due payments')
      const { types, payments } = await lookAt(id)
      expect(types).toEqual(['suspended', 'collection_skipped', 'released'])
      expect(payments).toEqual(days(10, 12, 13, 14))
    })
  })

  it('are made up for by the terms from before an amendment', async () => {
    const id = await collected()
    await amend(id)
    await service.runJob('send instructions')
    await goForward(1)
    await service.runJob('receive notices')
    expect(await lookAt(id)).toEqual({
      types: ['amendment_requested', 'amended'],
      next: '2027-06-12',
      payments: days(10, 11),
    })
  })
})
