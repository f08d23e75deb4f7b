import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'
import { chargeCalls, chargeOf } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { findUnreleasedHolds } from '../charges/attention/charges-to-attend.ts'
import { startAdyenDouble } from './adyen/testing/adyen-double.ts'
import type { AdyenDouble } from './adyen/testing/adyen-double.ts'

let service: TestService
let calls: ChargeCalls
let double: AdyenDouble
let gatewayId: string
const endHold = testStatement(
  't_end_hold_tried_before',
  `UPDATE charges SET hold_expires_at = now() - interval '1 second', releases_tried = 3,
                      updated_at = now() - interval '1 day' WHERE id = $1`,
)

beforeAll(async () => {
  double = await startAdyenDouble({ apiKey: 'right' })
  service = await createTestService()
  calls = chargeCalls(service)
  const credentials = { api_key: 'right', merchant_account: 'Acme', base_url: double.baseUrl }
  const gateway = { name: 'Adyen', type: 'adyen', isDefault: true, credentials }
  gatewayId = (await service.merchants.addGateway(service.merchant.merchant.id, gateway)) ?? ''
})
afterAll(async () => {
  await service.close()
  await double.close()
})

/** A hold of 100.00 at Adyen. */
async function hold(): Promise<ChargeResource> {
  const token = await service.tokenise({ gateway_id: gatewayId })
  return chargeOf(await calls.sell({ amount: '100.00', currency: 'AUD', token }))
}

type Hand = 'captures' | 'cancels' | 'refunds'
/** What somebody does in Adyen's Customer Area: the service hears nothing of it. */
function byHand({ external_id: id }: ChargeResource, what: Hand, value = 10_000): void {
  const body = { merchantAccount: 'Acme', reference: 'by hand' }
  const amount = { currency: 'AUD', value }
  double.ledger.apply(`/payments/${id}/${what}`, what === 'cancels' ? body : { ...body, amount })
}

const steps = {
  capture: (id: string) => calls.capture(id, { amount: '100.00' }),
  cancel: (id: string) => calls.cancel(id),
  'refund in part': (id: string) => calls.refund(id, { amount: '60.00' }),
  async release(id: string) {
    await service.database.run(endHold, [id])
    await service.runJob('release ended holds')
  },
}
type Step = keyof typeof steps

const gone = { held: 0, taken: 0, refunded: 0 }
const taken = { held: 0, taken: 10_000, refunded: 0 }

describe('what was moved by hand at Adyen, and then by the service: no money moves twice, and no hold needs attention', () => {
  it.each<[Hand[], Step[], string, object]>([
    [['cancels'], ['cancel'], 'cancelled', gone],
    [['cancels'], ['release'], 'cancelled', gone],
    // Adyen only receives the capture: that it failed, it says by a notification (docs/gateways.md).
    [['cancels'], ['capture'], 'complete', gone],
    [['captures'], ['capture'], 'complete', taken],
    [['captures'], ['capture', 'refund in part'], 'complete', { ...taken, refunded: 6000 }],
    // The same of the cancel: the payment was taken, and is to be refunded by hand, too.
    [['captures'], ['cancel'], 'cancelled', taken],
    [['captures'], ['release'], 'cancelled', taken],
    [['captures', 'refunds'], ['capture', 'refund in part'], 'complete', { ...taken, refunded: 10_000 }],
  ])('%j, then %j: %s', async (hands, then, status, books) => {
    const charge = await hold()
    for (const hand of hands) byHand(charge, hand)
    for (const step of then) await steps[step](charge._id)
    expect((await calls.read(charge._id)).status).toBe(status)
    expect(double.ledger.booksOf(charge.transactions[0]?._id ?? '')).toEqual([books])
    const values = { merchant_id: service.merchant.merchant.id, most: 100, shown: 5 }
    expect(await service.database.run(findUnreleasedHolds, values)).toEqual([])
  })
})
