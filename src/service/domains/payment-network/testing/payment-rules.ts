import { expect } from 'vitest'
import { accepted, cents, nextId, opened, orderFor, patient } from './network-bed.ts'
import type { NetworkRule } from './mandate-rules.ts'

const failed = (code: string) => ({ kind: 'failed', code, message: /./ })

/** What a network does with payments. */
export const paymentRules: readonly NetworkRule[] = [
  {
    rule: 'pays, and says so again when asked',
    async check(bed) {
      const agreementId = await accepted(bed)
      const order = orderFor(agreementId)
      const outcome = await bed.network.pay(order, patient())
      expect(outcome).toMatchObject({ kind: 'settled', reference: /./ })
      expect(await bed.network.outcomeOf(order.paymentId, patient())).toEqual(outcome)
      const { paymentId, amount } = order
      expect(await bed.booksOf(agreementId)).toEqual([{ paymentId, amount, outcome: 'settled' }])
    },
  },
  {
    rule: 'makes a payment once, however often it comes, also at the same time',
    async check(bed) {
      const agreementId = await accepted(bed)
      const order = orderFor(agreementId)
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => bed.network.pay(order, patient())))
      expect(new Set(outcomes.map((one) => JSON.stringify(one))).size).toBe(1)
      expect(await bed.booksOf(agreementId)).toHaveLength(1)
    },
  },
  {
    rule: 'knows no payment that was never sent, and makes it when it is',
    async check(bed) {
      const agreementId = await accepted(bed)
      const order = orderFor(agreementId)
      expect(await bed.network.outcomeOf(order.paymentId, patient())).toEqual({ kind: 'not_received' })
      expect(await bed.network.pay(order, patient())).toMatchObject({ kind: 'settled' })
    },
  },
  {
    rule: 'that paid and was not heard says so when asked, and does not pay again',
    async check(bed) {
      const agreementId = await opened(bed, bed.debtors.losesAnswers)
      const order = orderFor(agreementId)
      expect(await bed.network.pay(order, patient())).toEqual({ kind: 'unknown' })
      expect(await bed.network.outcomeOf(order.paymentId, patient())).toMatchObject({ kind: 'settled' })
      await bed.network.pay(order, patient())
      expect(await bed.booksOf(agreementId)).toHaveLength(1)
    },
  },
  {
    rule: 'refuses what the payer has not agreed to',
    async check(bed) {
      const agreementId = await accepted(bed)
      const over = orderFor(agreementId, { amount: cents('100.01') })
      expect(await bed.network.pay(over, patient())).toMatchObject(failed('limit_exceeded'))
      const most = orderFor(agreementId, { amount: cents('100.00') })
      expect(await bed.network.pay(most, patient())).toMatchObject({ kind: 'settled' })
    },
  },
  {
    rule: 'pays for active mandates alone',
    async check(bed) {
      const inactive = failed('agreement_not_active')
      const waiting = await opened(bed, bed.debtors.waits)
      expect(await bed.network.pay(orderFor(waiting), patient())).toMatchObject(inactive)
      expect(await bed.network.pay(orderFor('never-heard-of'), patient())).toMatchObject(inactive)
      const agreementId = await accepted(bed)
      await bed.answerAs(agreementId, 'suspend')
      expect(await bed.network.pay(orderFor(agreementId), patient())).toMatchObject(inactive)
      await bed.answerAs(agreementId, 'release')
      expect(await bed.network.pay(orderFor(agreementId), patient())).toMatchObject({ kind: 'settled' })
      await bed.answerAs(agreementId, 'cancel')
      expect(await bed.network.pay(orderFor(agreementId), patient())).toMatchObject(inactive)
    },
  },
  {
    rule: 'fails for want of funds, and says the same again; the next payment is another one',
    async check(bed) {
      const agreementId = await opened(bed, bed.debtors.lacksFunds)
      const order = orderFor(agreementId)
      const outcome = await bed.network.pay(order, patient())
      expect(outcome).toMatchObject(failed('insufficient_funds'))
      expect(await bed.network.pay(order, patient())).toEqual(outcome)
      expect(await bed.network.outcomeOf(order.paymentId, patient())).toEqual(outcome)
    },
  },
  {
    rule: 'says that a payment is under investigation',
    async check(bed) {
      const order = orderFor(await opened(bed, bed.debtors.investigates))
      expect(await bed.network.pay(order, patient())).toMatchObject({
        kind: 'under_investigation',
        reference: /./,
      })
    },
  },
  {
    rule: 'never throws where nobody waits any more',
    async check({ network }) {
      const gone = AbortSignal.abort()
      await expect(network.pay(orderFor('never-heard-of'), gone)).resolves.toBeDefined()
      await expect(network.outcomeOf(nextId('payment'), gone)).resolves.toBeDefined()
    },
  },
]
