import { expect } from 'vitest'
import { cents, follow, nextId, order, refusalBy, authorise, sold } from './gateway-bed.ts'
import type { GatewayBed } from './gateway-bed.ts'

/** Something that holds for every gateway. */
export interface Rule {
  rule: string
  check: (bed: GatewayBed) => Promise<void>
}

const approved = { kind: 'approved' }

/** What a gateway does with money while its connection is good. */
export const moneyRules: readonly Rule[] = [
  {
    rule: 'holds',
    async check(bed) {
      const { books } = await sold(bed)
      expect(await books()).toEqual([{ held: 10_000, taken: 0, refunded: 0 }])
    },
  },
  {
    rule: 'takes at once',
    async check(bed) {
      const { books } = await sold(bed, true)
      expect(await books()).toEqual([{ held: 0, taken: 10_000, refunded: 0 }])
    },
  },
  {
    rule: 'declines for each reason that it knows, with its own code and words; keeps nothing; says so again when asked',
    async check(bed) {
      const entries = Object.entries(bed.declined)
      expect(entries.length).toBeGreaterThan(1)
      for (const [reason, { amount: text = '100.00', card = {} }] of entries) {
        const [attemptId, amount] = [nextId(), cents(text)]
        const answer = await authorise(bed, amount, attemptId, { card })
        expect(answer).toMatchObject({ kind: 'declined', reason, code: /./, description: /./ })
        expect(await bed.booksOf(attemptId)).toEqual([])
        const asked = {
          ...order(amount, attemptId),
          type: 'sale',
          capture: false,
          ageMs: 1000,
          minAgeMs: 1000,
        } as const
        expect(await bed.gateway.outcomeOf(asked)).toEqual(answer)
      }
    },
  },
  ...['100.00', '40.00'].map((amount): Rule => ({
    rule: `captures ${amount} of 100.00 and lets go of the rest`,
    async check(bed) {
      const { sale, books } = await sold(bed)
      expect(await bed.gateway.capture(follow(sale, cents(amount)))).toMatchObject(approved)
      expect(await books()).toEqual([{ held: 0, taken: cents(amount), refunded: 0 }])
    },
  })),
  {
    rule: 'cancels',
    async check(bed) {
      const { sale, books } = await sold(bed)
      expect(await bed.gateway.cancel(follow(sale, sale.amount))).toMatchObject(approved)
      expect(await books()).toEqual([{ held: 0, taken: 0, refunded: 0 }])
    },
  },
  {
    rule: 'takes a hold once, whatever else comes for it',
    async check(bed) {
      const { sale, books } = await sold(bed)
      await bed.gateway.capture(follow(sale, cents('60.00')))
      expect(await bed.gateway.capture(follow(sale, cents('40.00')))).toMatchObject(refusalBy(bed))
      expect(await bed.gateway.cancel(follow(sale, sale.amount))).toMatchObject(refusalBy(bed))
      expect(await books()).toEqual([{ held: 0, taken: 6000, refunded: 0 }])
    },
  },
  {
    rule: 'never takes more than it holds, nor what it has let go of',
    async check(bed) {
      const { sale, books } = await sold(bed)
      expect(await bed.gateway.capture(follow(sale, cents('100.01')))).toMatchObject(refusalBy(bed))
      expect(await books()).toEqual([{ held: 10_000, taken: 0, refunded: 0 }])
      await bed.gateway.cancel(follow(sale, sale.amount))
      expect(await bed.gateway.capture(follow(sale, sale.amount))).toMatchObject(refusalBy(bed))
      expect(await books()).toEqual([{ held: 0, taken: 0, refunded: 0 }])
    },
  },
  {
    rule: 'declines what follows a sale that it does not know',
    async check(bed) {
      const { sale } = await sold(bed)
      const stranger = { ...sale, id: 'NEVERHEARDOF0001' }
      expect(await bed.gateway.capture(follow(stranger, sale.amount))).toMatchObject({
        kind: 'declined',
        reason: 'invalid_transaction',
      })
    },
  },
  ...[true, false].map((atOnce): Rule => ({
    rule: `gives back in parts, never more than was taken ${atOnce ? 'at once' : 'later'}`,
    async check(bed) {
      const { sale, books } = await sold(bed, atOnce)
      if (!atOnce) await bed.gateway.capture(follow(sale, sale.amount))
      for (const amount of ['30.00', '50.00']) {
        expect(await bed.gateway.refund(follow(sale, cents(amount)))).toMatchObject(approved)
      }
      expect(await bed.gateway.refund(follow(sale, cents('20.01')))).toMatchObject(refusalBy(bed))
      expect(await books()).toEqual([{ held: 0, taken: 10_000, refunded: 8000 }])
    },
  })),
  {
    rule: 'does an attempt once, however often it comes, also at the same time',
    async check(bed) {
      const attemptId = nextId()
      const sales = await Promise.all(
        Array.from({ length: 6 }, () => authorise(bed, cents('100.00'), attemptId)),
      )
      expect(new Set(sales.map((answer) => JSON.stringify(answer))).size).toBe(1)
      expect(await bed.booksOf(attemptId)).toEqual([{ held: 10_000, taken: 0, refunded: 0 }])
      const { sale, books } = await sold(bed, true)
      const again = nextId()
      const refund = () => bed.gateway.refund(follow(sale, cents('10.00'), again))
      await Promise.all(Array.from({ length: 6 }, refund))
      expect(await books()).toEqual([{ held: 0, taken: 10_000, refunded: 1000 }])
    },
  },
]
