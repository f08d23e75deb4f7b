import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { monotonicClock } from '../../platform/clocks.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../../testing/webhook-receiver.ts'
import type { WebhookReceiver } from '../../testing/webhook-receiver.ts'
import { createExports } from '../charges/export.ts'
import { SearchQuery, toSearch } from '../charges/search.ts'
import { createServiceAtAdyen } from '../gateways/testing/service-at-adyen.ts'
import type { ServiceAtAdyen } from '../gateways/testing/service-at-adyen.ts'

let adyen: ServiceAtAdyen
let receiver: WebhookReceiver
beforeAll(async () => {
  adyen = await createServiceAtAdyen()
  receiver = await createWebhookReceiver()
  await makeWebhook(adyen.service, { url: receiver.url })
})
afterAll(async () => {
  await receiver.close()
  await adyen.close()
})

interface Held {
  id: string
  /** The sale's id, which is the payment's reference at Adyen, and Adyen's own of the payment. */
  reference: string
  payment: string
}
const hundred = { amount: '100.00' }
const byHand = ({ payment }: Held, what: string) =>
  adyen.double.ledger.apply(`/payments/${payment}/${what}`, {
    merchantAccount: 'Acme',
    reference: 'by hand',
    amount: { currency: 'AUD', value: 10_000 },
  })
const captured = async ({ id }: Held) => {
  await adyen.calls.capture(id, hundred)
  await adyen.tell()
}

/** What happens at Adyen; what the charge's line has from its status on; the type of the last message. */
const happenings: readonly [string, (held: Held) => unknown, string, string][] = [
  [
    'a refund that fails later',
    async (held) => {
      await captured(held)
      await adyen.calls.refund(held.id, hundred)
      adyen.double.ledger.failLater(held.reference, 'refunds')
    },
    'complete,100.00,AUD,100.00,0.00',
    'charge.refund_failed',
  ],
  [
    'a cancel that is refused later',
    async ({ id }) => {
      adyen.double.ledger.refuseNext()
      await adyen.calls.cancel(id)
    },
    'pending,100.00,AUD,0.00,0.00',
    'charge.cancel_failed',
  ],
  [
    'a hold whose time is over there',
    ({ reference }) => adyen.double.ledger.expire(reference),
    'cancelled,100.00,AUD,0.00,0.00',
    'charge.expired',
  ],
  [
    'a capture by hand',
    (held) => byHand(held, 'captures'),
    'complete,100.00,AUD,100.00,0.00',
    'charge.captured',
  ],
  [
    'a refund by hand',
    async (held) => {
      await captured(held)
      byHand(held, 'refunds')
    },
    'refunded,100.00,AUD,100.00,100.00',
    'charge.refunded',
  ],
]

describe('is told by a message and shown in the CSV file:', () => {
  it.each(happenings)('%s', async (_, happens, row, type) => {
    const { _id: id, transactions, external_id: payment } = await adyen.hold()
    await happens({ id, reference: transactions[0]?._id ?? '', payment: payment ?? '' })
    await adyen.tell()
    await sendWebhooks(adyen.service)
    const messages = receiver.inOrder().filter(({ message: { data } }) => data._id === id)
    expect(messages.at(-1)?.message).toMatchObject({ type, data: { status: row.split(',')[0] } })
    expect(await lineOf(id)).toContain(row)
  })
})

/** The line of a charge in the CSV file. */
async function lineOf(id: string): Promise<string | undefined> {
  const exports = createExports(adyen.service.database, monotonicClock)
  const merchantId = adyen.service.merchant.merchant.id
  let file = ''
  for await (const piece of exports.write(merchantId, toSearch(v.parse(SearchQuery, {})), 'UTC'))
    file += piece
  return file.split('\r\n').find((line) => line.startsWith(id))
}
