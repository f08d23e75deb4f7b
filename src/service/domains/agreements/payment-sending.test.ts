import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { changeAgreement, findAgreement, historyOf } from './agreement-store.ts'
import type { Agreement } from './agreement.ts'
import { findWaiting } from './payment-sending-store.ts'
import { findPayment } from './payment-store.ts'
import { cents } from './testing/made-agreement.ts'
import { openPaymentsBed } from './testing/payments-bed.ts'
import type { PaymentsBed } from './testing/payments-bed.ts'

let bed: PaymentsBed
beforeEach(async () => {
  bed = await openPaymentsBed('2026-11-25T01:00:00Z')
})
afterEach(() => bed.close())

const MINUTE = 60_000
const accept = (agreement: Agreement, isLast = false) =>
  bed.accept(agreement, { amount: cents('10.00'), reference: 'r', last_payment: isLast })
const find = async (id: string) => (await findPayment(bed.database, id)) ?? { status: 'lost' }

describe('a payment that was accepted', () => {
  it.each([
    ['settles', 'approve', { status: 'settled' }, ['received', 'processing', 'settled']],
    [
      'fails',
      'insufficient',
      { status: 'failed', failure: { code: 'insufficient_funds' } },
      ['received', 'processing', 'failed'],
    ],
    [
      'is investigated, then settles',
      'investigate',
      { status: 'settled' },
      ['received', 'processing', 'under_investigation', 'settled'],
    ],
    [
      'settles though its answer was lost',
      'late',
      { status: 'settled' },
      ['received', 'processing', 'settled'],
    ],
  ])('%s, and is made once', async (_, debtor, expected, events) => {
    const agreement = await bed.makeAgreement({}, debtor)
    const { id } = await accept(agreement)
    await bed.send()
    for (let round = 0; round < 3; round += 1) {
      bed.pass(MINUTE)
      await Promise.all([bed.askForOutcomes(), bed.startProcess().askForOutcomes(), bed.send()])
    }
    expect(await find(id)).toMatchObject(expected)
    expect(await bed.eventsOf(id)).toEqual(events.map((type) => `payment.${type}`).sort())
    const entries = await bed.ledger.paymentsOf(agreement.id, 10)
    expect(entries).toMatchObject([{ paymentId: id, timesAsked: 1 }])
  })

  it('is sent though the agreement was suspended since', async () => {
    const agreement = await bed.makeAgreement()
    const { id } = await accept(agreement)
    const change = {
      type: 'suspended',
      by: 'creditor',
      noticeId: null,
      reason: null,
      facts: { status: 'suspended' },
      instruction: null,
    } as const
    await changeAgreement(bed.database, agreement, {
      ...change,
      id: bed.deps.createId(),
      at: new Date(),
    })
    await bed.send()
    expect(await find(id)).toMatchObject({ status: 'settled' })
  })

  it('is sent once by many processes', async () => {
    const agreement = await bed.makeAgreement()
    const made = await Promise.all(Array.from({ length: 40 }, () => accept(agreement)))
    await Promise.all([bed.send(), bed.startProcess().send(), bed.startProcess().send()])
    const entries = await bed.ledger.paymentsOf(agreement.id, 100)
    expect(entries.map(({ timesAsked }) => timesAsked)).toEqual(made.map(() => 1))
    for (const { id } of made) expect(await find(id)).toMatchObject({ status: 'settled' })
  })
})

describe('an agreement expires once its last payment settles', () => {
  it.each([
    ['a oneoff', { type: 'oneoff' } as const, 1, false],
    ['one of three payments', { maxPayments: 3 }, 3, false],
    ['one with a last payment', {}, 1, true],
  ])('%s', async (_, overrides, payments, isLast) => {
    const agreement = await bed.makeAgreement(overrides)
    for (let count = 0; count < payments; count += 1) await accept(agreement, isLast)
    await Promise.all([bed.send(), bed.startProcess().send()])
    expect(await findAgreement(bed.database, agreement.id)).toMatchObject({ status: 'expired' })
    expect((await historyOf(bed.database, agreement.id)).map(({ type, by }) => [type, by])).toEqual([
      ['accepted', 'debtor'],
      ['expired', 'service'],
    ])
  })

  it('but not before, nor by one that failed', async () => {
    const agreement = await bed.makeAgreement({ maxPayments: 3 })
    const failing = await bed.makeAgreement({ type: 'oneoff' }, 'insufficient')
    for (const one of [agreement, agreement, failing]) await accept(one)
    await bed.send()
    expect(await findAgreement(bed.database, agreement.id)).toMatchObject({ status: 'active' })
    expect(await findAgreement(bed.database, failing.id)).toMatchObject({ status: 'active' })
  })
})

describe('nothing is lost or made twice when the service ends', () => {
  const AFTER = ['mark_payments_processing', 'record_payment_outcomes', 'change_agreement']
  const places = AFTER.flatMap((name) => [
    [`before ${name}`, name, 'before'] as const,
    [`after ${name}`, name, 'after'] as const,
  ])

  it.each(places)('%s', async (_, name, when) => {
    const agreement = await bed.makeAgreement({ type: 'oneoff' })
    const { id } = await accept(agreement)
    await bed
      .startProcess({ database: failingAt(bed.database, name, when) })
      .send()
      .catch(() => undefined)
    const next = bed.startProcess()
    for (let round = 0; round < 3; round += 1) {
      bed.pass(2 * MINUTE)
      await next.send()
      await next.askForOutcomes()
    }
    expect(await find(id)).toMatchObject({ status: 'settled' })
    expect(await findAgreement(bed.database, agreement.id)).toMatchObject({ status: 'expired' })
    expect(await bed.ledger.paymentsOf(agreement.id, 10)).toHaveLength(1)
    expect(await bed.eventsOf(id)).toEqual(['payment.processing', 'payment.received', 'payment.settled'])
  })

  it('before the call: sent again if unknown', async () => {
    const agreement = await bed.makeAgreement()
    const { id } = await accept(agreement)
    const unreachable = () => Promise.resolve({ kind: 'unreachable' } as const)
    await bed.startProcess({ network: { ...bed.network, pay: unreachable, outcomeOf: unreachable } }).send()
    expect(await find(id)).toMatchObject({ status: 'processing' })
    expect(await bed.ledger.paymentsOf(agreement.id, 10)).toEqual([])
    bed.pass(MINUTE)
    await bed.askForOutcomes()
    expect(await find(id)).toMatchObject({ status: 'settled' })
    expect(await bed.ledger.paymentsOf(agreement.id, 10)).toMatchObject([{ timesAsked: 1 }])
  })
})

it('a merchant with thousands of payments does not hold up another', async () => {
  const big = await bed.makeAgreement()
  for (let count = 0; count < 300; count += 1) await accept(big)
  const small = await bed.makeAgreement({ merchantId: '6b0179918a1c5e0b3d2f4aff' })
  const { id } = await accept(small)
  const found = await findWaiting(bed.database, 'toSend', 64, new Date('2026-11-25T01:00:00Z'))
  expect(found.map((one) => one.id)).toContain(id)
})

/** The database, which throws at a statement: before it is run, or when it is done and its answer is lost. */
function failingAt(database: Database, name: string, when: 'before' | 'after'): Database {
  const failing = (run: Database['run']): Database['run'] => {
    return async (asked, values) => {
      if (asked.name === name && when === 'before') throw new Error('the service has ended')
      const rows = await run(asked, values)
      if (asked.name === name) throw new Error('the service has ended')
      return rows
    }
  }
  return {
    ...database,
    run: failing(database.run),
    transaction: (work) => database.transaction((queries) => work({ ...queries, run: failing(queries.run) })),
  }
}

describe('calls', () => {
  let bed: PaymentsBed
  let hanging: Agreement
  beforeEach(async () => {
    bed = await openPaymentsBed('2026-11-25T01:00:00Z')
    hanging = await bed.makeAgreement()
  })
  afterEach(() => bed.close())

  const accept = (agreement: Agreement) =>
    bed.accept(agreement, { amount: cents('10.00'), reference: 'r', last_payment: false })

  /** A process whose calls for one agreement hang until `release`; `calls`: how many these are. */
  function startHanging(database: Database = bed.database) {
    let calls = 0
    let release: () => void = () => undefined
    const ended = new Promise<{ kind: 'unknown' }>((resolve) => {
      release = () => resolve({ kind: 'unknown' })
    })
    const { pay } = bed.network
    const service = bed.startProcess({
      database,
      network: {
        ...bed.network,
        pay(order, signal) {
          if (order.agreementId !== hanging.id) return pay(order, signal)
          calls += 1
          return ended
        },
      },
    })
    return { service, release, calls: () => calls }
  }

  describe('that hang', () => {
    it('hold up no other merchant whose payment comes later', async () => {
      for (let count = 0; count < 300; count += 1) await accept(hanging)
      const { service, release } = startHanging()
      const sending = service.send()
      const small = await bed.makeAgreement({ merchantId: '6b0179918a1c5e0b3d2f4aff' })
      const { id } = await accept(small)
      await expect.poll(() => findPayment(bed.database, id)).toMatchObject({ status: 'settled' })
      release()
      await sending
    })

    it('let others be looked for five times a second, no more', async () => {
      for (let count = 0; count < 80; count += 1) await accept(hanging)
      let looks = 0
      const { service, release, calls } = startHanging({
        ...bed.database,
        run(asked, values) {
          if (asked.name === 'find_payments_to_send') looks += 1
          return bed.database.run(asked, values)
        },
      })
      const sending = service.send()
      await expect.poll(calls).toBe(64)
      const [before, began] = [looks, performance.now()]
      await sleep(1500)
      const perSecond = ((looks - before) * 1000) / (performance.now() - began)
      expect(perSecond).toBeGreaterThan(0)
      expect(perSecond).toBeLessThan(7)
      release()
      await sending
      expect(calls()).toBe(80)
    })
  })
})
