import { createHmac } from 'node:crypto'
import type { NotificationSecrets } from '../../gateway.ts'
import type { ToldEvent } from './stripe-ledger.ts'
import { eventLike } from './stripe-shapes.ts'

/** A request of Stripe's that tells of an event, signed at `now` (docs.stripe.com, "Verify webhook signatures manually"). */
export function signedEvent(
  { id, type, object }: ToldEvent,
  { signingKeys: [key = ''] }: Pick<NotificationSecrets, 'signingKeys'>,
  now: Date,
): { headers: Record<string, string>; body: string } {
  const created = Math.floor(now.getTime() / 1000)
  const body = JSON.stringify(eventLike({ id, type, created, data: { object } }))
  const signature = createHmac('sha256', key).update(`${created}.${body}`).digest('hex')
  return {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': `t=${created},v1=${signature}`,
    },
    body,
  }
}
