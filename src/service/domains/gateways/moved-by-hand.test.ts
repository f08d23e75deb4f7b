import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testStatement } from '../../testing/test-statement.ts'
import { selectUnreleasedHolds } from '../charges/needs-attention.ts'
import { createServiceAt, GATEWAYS } from './testing/service-at.ts'
import type { GatewayName, Hand, ServiceAt } from './testing/service-at.ts'

let there: ServiceAt
const endHold = testStatement(
  't_end_hold_tried_before',
  `UPDATE charges SET hold_expires_at = now() - interval '1 second', release_attempts = 3,
                      updated_at = now() - interval '1 day' WHERE id = $1`,
)

const steps = {
  capture: (id: string) => there.calls.capture(id, { amount: '100.00' }),
  cancel: (id: string) => there.calls.cancel(id),
  'refund in part': (id: string) => there.calls.refund(id, { amount: '60.00' }),
  async release(id: string) {
    await there.service.database.run(endHold, [id])
    await there.service.runJob('release ended holds')
  },
}
type Step = keyof typeof steps

/** The charge's status in the end, and the gateway's books. */
type End = [status: string, books: object]
const taken = { held: 0, taken: 10_000, refunded: 0 }
const isGone: End = ['cancelled', { held: 0, taken: 0, refunded: 0 }]
const isTaken: End = ['complete', taken]
/** The gateway refuses, and the charge waits for somebody to look, or for the end of its hold. */
const stays = ([, books]: End): End => ['pending', books]

const everywhere = (end: End): Record<GatewayName, End> => ({ 'the sandbox': end, Adyen: end, Stripe: end })
/** Adyen only receives what it is asked for, and tells by a notification that it failed; the others refuse at once. */
const receivedByAdyen = (received: End, refused: End): Record<GatewayName, End> => ({
  ...everywhere(refused),
  Adyen: received,
})

const ends: readonly [Hand[], Step[], Record<GatewayName, End>][] = [
  // The sandbox's holds end by the service alone: it refuses to end one twice.
  [['cancels'], ['cancel'], { ...everywhere(isGone), 'the sandbox': stays(isGone) }],
  [['cancels'], ['release'], everywhere(isGone)],
  [['cancels'], ['capture'], receivedByAdyen(['complete', isGone[1]], stays(isGone))],
  [['captures'], ['capture'], receivedByAdyen(isTaken, stays(isTaken))],
  [
    ['captures'],
    ['capture', 'refund in part'],
    receivedByAdyen(['complete', { ...taken, refunded: 6000 }], stays(isTaken)),
  ],
  // The payment was taken, and is to be refunded by hand, too.
  [['captures'], ['cancel'], receivedByAdyen(['cancelled', taken], stays(isTaken))],
  [['captures'], ['release'], everywhere(['cancelled', taken])],
  [
    ['captures', 'refunds'],
    ['capture', 'refund in part'],
    receivedByAdyen(
      ['complete', { ...taken, refunded: 10_000 }],
      ['pending', { ...taken, refunded: 10_000 }],
    ),
  ],
]

describe.each(GATEWAYS)('moved by hand at %s and by the service, no money moves twice', (name) => {
  beforeAll(async () => {
    there = await createServiceAt(name)
  })
  afterAll(() => there.close())

  it.each(ends)('%j, then %j', async (hands, then, end) => {
    const [status, books] = end[name]
    const charge = await there.hold()
    for (const hand of hands) await there.byHand(charge, hand, 10_000)
    for (const step of then) await steps[step](charge._id)
    expect((await there.calls.read(charge._id)).status).toBe(status)
    expect(await there.booksOf(charge.transactions[0]?._id ?? '')).toEqual([books])
    const values = { merchant_id: there.service.merchant.merchant.id, most: 100, shown: 5 }
    expect(await there.service.database.run(selectUnreleasedHolds, values)).toEqual([])
  })
})
