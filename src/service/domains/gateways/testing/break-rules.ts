import { expect } from 'vitest'
import type { FollowedSale } from '../gateway.ts'
import { cents, follow, nextId, order, authorise, sold, soon } from './gateway-bed.ts'
import type { Break, GatewayBed } from './gateway-bed.ts'
import type { Rule } from './money-rules.ts'

/** Longer than any request can be on its way. */
const LONG_AGO_MS = 600_000

/** What a gateway does when its connection breaks. */
export const breakRules: readonly Rule[] = [
  {
    rule: 'sends nothing where it cannot be reached, and the same attempt may go again',
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
      const question = {
        ...order(asked, attemptId),
        type: 'sale',
        capture: false,
        ageMs: 1000,
        minAgeMs: 1000,
      } as const
      expect(await bed.gateway.outcomeOf(question)).toMatchObject({ kind: 'approved' })
      expect(await bed.booksOf(attemptId)).toEqual([{ held: asked, taken: 0, refunded: 0 }])
    },
  },
  ...[true, false].map((capture): Rule => ({
    rule: `that lost a sale ${capture ? 'at once' : 'to hold'} says so, and does not do it when it comes late`,
    async check(bed) {
      const attemptId = nextId()
      let asked = cents('1.00')
      await bed.meeting('lost', (amount) =>
        authorise(bed, (asked = amount), attemptId, { capture, signal: soon() }),
      )
      const question = {
        ...order(asked, attemptId),
        type: 'sale',
        capture,
        ageMs: LONG_AGO_MS,
        minAgeMs: LONG_AGO_MS,
      } as const
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
