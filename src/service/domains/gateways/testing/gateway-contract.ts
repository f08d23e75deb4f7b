import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FollowedSale } from '../gateway.ts'
import { askedAbout, authorise, cents, follow, nextId, refusalBy, sold, soon } from './gateway-bed.ts'
import type { Break, GatewayBed } from './gateway-bed.ts'

/** The tests that every adapter passes, whatever its gateway is like. */
export function testGatewayContract(name: string, open: () => Promise<GatewayBed>): void {
  describe(`${name}, as a gateway,`, () => {
    let bed: GatewayBed
    beforeAll(async () => {
      bed = await open()
    })
    afterAll(() => bed.close())
    for (const { rule, check } of [...moneyRules, ...breakRules]) it(rule, () => check(bed))
  })
}

/** Something that holds for every gateway. */
interface Rule {
  rule: string
  check: (bed: GatewayBed) => Promise<void>
}

const approved = { kind: 'approved' }

/** What a gateway does with money while its connection is good. */
const moneyRules: readonly Rule[] = [
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
    rule: 'declines for each reason that it knows and keeps nothing',
    async check(bed) {
      const entries = Object.entries(bed.declined)
      expect(entries.length).toBeGreaterThan(1)
      for (const [reason, { amount: text = '100.00', card = {} }] of entries) {
        const [attemptId, amount] = [nextId(), cents(text)]
        const answer = await authorise(bed, amount, attemptId, { card })
        expect(answer).toMatchObject({ kind: 'declined', reason })
        if (answer.kind === 'declined') expect([answer.code, answer.description]).not.toContain('')
        expect(await bed.booksOf(attemptId)).toEqual([])
        const asked = askedAbout(amount, attemptId, 1000)
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
    rule: `refunds in parts, never more than captured ${atOnce ? 'at once' : 'later'}`,
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
    rule: 'carries an attempt out once, however often it comes',
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

/** Longer than any request can be on its way. */
const LONG_AGO_MS = 600_000

/** What a gateway does when its connection breaks. */
const breakRules: readonly Rule[] = [
  {
    rule: 'sends nothing if it cannot be reached',
    async check(bed) {
      const attemptId = nextId()
      const broken = await bed.meeting('unreachable', (amount) => authorise(bed, amount, attemptId))
      expect(broken).toEqual({ kind: 'unreachable' })
      expect(await bed.booksOf(attemptId)).toEqual([])
      expect(await authorise(bed, cents('100.00'), attemptId)).toMatchObject({ kind: 'approved' })
    },
  },
  {
    rule: 'that did a sale and was not heard says so when asked',
    async check(bed) {
      const attemptId = nextId()
      let asked = cents('1.00')
      const answer = await bed.meeting('unanswered', (amount) =>
        authorise(bed, (asked = amount), attemptId, { signal: soon() }),
      )
      expect(answer).toEqual({ kind: 'unknown' })
      const question = askedAbout(asked, attemptId, 1000)
      expect(await bed.gateway.outcomeOf(question)).toMatchObject({ kind: 'approved' })
      expect(await bed.booksOf(attemptId)).toEqual([{ held: asked, taken: 0, refunded: 0 }])
    },
  },
  ...[true, false].map((capture): Rule => ({
    rule: `that lost a sale ${capture ? 'at once' : 'to hold'} says so, and ignores it when it comes late`,
    async check(bed) {
      const attemptId = nextId()
      let asked = cents('1.00')
      await bed.meeting('lost', (amount) =>
        authorise(bed, (asked = amount), attemptId, { capture, signal: soon() }),
      )
      const question = askedAbout(asked, attemptId, LONG_AGO_MS, capture)
      expect(await bed.gateway.outcomeOf(question)).toEqual({ kind: 'not_received' })
      expect((await authorise(bed, asked, attemptId, { capture })).kind).not.toBe('approved')
      expect(await bed.booksOf(attemptId)).toEqual([])
    },
  })),
  ...(['lost', 'unanswered'] as const).map((kind): Rule => ({
    rule: `settles a capture and a refund that were ${kind}, once`,
    async check(bed) {
      const { sale, books } = await sold(bed, false, cents('9900.00'))
      const taken = await settle(bed, 'capture', kind, sale)
      expect(await books()).toEqual([{ held: taken === 0 ? 990_000 : 0, taken, refunded: 0 }])
      if (taken === 0) await bed.gateway.capture(follow(sale, sale.amount))
      const refunded = await settle(bed, 'refund', kind, sale)
      expect(await books()).toMatchObject([{ held: 0, refunded }])
    },
  })),
  {
    rule: 'stops waiting when it is told to, and never throws',
    async check(bed) {
      const { sale } = await sold(bed)
      const signal = AbortSignal.timeout(50)
      const started = performance.now()
      const answer = await bed.meeting('lost', (amount) => authorise(bed, amount, nextId(), { signal }))
      expect(answer).toEqual({ kind: 'unknown' })
      expect(performance.now() - started).toBeLessThan(2000)
      const asked = { ...follow(sale, sale.amount), type: 'cancel', ageMs: 1000, minAgeMs: 1000 } as const
      await expect(bed.gateway.outcomeOf({ ...asked, signal: AbortSignal.abort() })).resolves.toBeDefined()
    },
  },
]

/** Breaks a follow-up, asks for it, lets it arrive late: how much the books must then show, in cents. */
async function settle(
  { gateway, meeting }: GatewayBed,
  type: 'capture' | 'refund',
  kind: Break,
  sale: FollowedSale,
): Promise<number> {
  const attemptId = nextId()
  let asked = cents('1.00')
  const answer = await meeting(kind, (amount) =>
    gateway[type]({ ...follow(sale, (asked = amount), attemptId), signal: soon() }),
  )
  expect(answer).toEqual({ kind: 'unknown' })
  const outcome = await gateway.outcomeOf({
    ...follow(sale, asked, attemptId),
    type,
    ageMs: LONG_AGO_MS,
    minAgeMs: LONG_AGO_MS,
  })
  expect(kind === 'unanswered' ? ['approved'] : ['approved', 'not_received']).toContain(outcome.kind)
  const late = await gateway[type](follow(sale, asked, attemptId))
  if (outcome.kind === 'not_received') expect(late.kind).not.toBe('approved')
  return outcome.kind === 'approved' ? asked : 0
}
