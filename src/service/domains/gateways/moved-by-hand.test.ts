import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { selectUnreleasedHolds } from '../charges/needs-attention.ts'
import { createServiceAtAdyen } from './testing/service-at-adyen.ts'
import type { ServiceAtAdyen } from './testing/service-at-adyen.ts'

let adyen: ServiceAtAdyen
const endHold = testStatement(
  't_end_hold_tried_before',
  `UPDATE charges SET hold_expires_at = now() - interval '1 second', release_attempts = 3,
                      updated_at = now() - interval '1 day' WHERE id = $1`,
)

beforeAll(async () => {
  adyen = await createServiceAtAdyen()
})
afterAll(() => adyen.close())

type Hand = 'captures' | 'cancels' | 'refunds'
/** What somebody does in Adyen's Customer Area; no notification has told of it yet. */
function byHand({ external_id: id }: ChargeResource, what: Hand, value = 10_000): void {
  const body = { merchantAccount: 'Acme', reference: 'by hand' }
  const amount = { currency: 'AUD', value }
  adyen.double.ledger.apply(`/payments/${id}/${what}`, what === 'cancels' ? body : { ...body, amount })
}

const steps = {
  capture: (id: string) => adyen.calls.capture(id, { amount: '100.00' }),
  cancel: (id: string) => adyen.calls.cancel(id),
  'refund in part': (id: string) => adyen.calls.refund(id, { amount: '60.00' }),
  async release(id: string) {
    await adyen.service.database.run(endHold, [id])
    await adyen.service.runJob('release ended holds')
  },
}
type Step = keyof typeof steps

const gone = { held: 0, taken: 0, refunded: 0 }
const taken = { held: 0, taken: 10_000, refunded: 0 }

describe('moved by hand and by the service, no money moves twice', () => {
  it.each<[Hand[], Step[], string, object]>([
    [['cancels'], ['cancel'], 'cancelled', gone],
    [['cancels'], ['release'], 'cancelled', gone],
    // Adyen only receives the capture: that it failed, it says by a notification.
    [['cancels'], ['capture'], 'complete', gone],
    [['captures'], ['capture'], 'complete', taken],
    [['captures'], ['capture', 'refund in part'], 'complete', { ...taken, refunded: 6000 }],
    // The same of the cancel: the payment was taken, and is to be refunded by hand, too.
    [['captures'], ['cancel'], 'cancelled', taken],
    [['captures'], ['release'], 'cancelled', taken],
    [['captures', 'refunds'], ['capture', 'refund in part'], 'complete', { ...taken, refunded: 10_000 }],
  ])('%j, then %j: %s', async (hands, then, status, books) => {
    const charge = await adyen.hold()
    for (const hand of hands) byHand(charge, hand)
    for (const step of then) await steps[step](charge._id)
    expect((await adyen.calls.read(charge._id)).status).toBe(status)
    expect(adyen.double.ledger.booksOf(charge.transactions[0]?._id ?? '')).toEqual([books])
    const values = { merchant_id: adyen.service.merchant.merchant.id, most: 100, shown: 5 }
    expect(await adyen.service.database.run(selectUnreleasedHolds, values)).toEqual([])
  })
})
