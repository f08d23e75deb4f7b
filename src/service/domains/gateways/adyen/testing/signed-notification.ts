import type { NotificationSecrets } from '../../gateway.ts'
import { signatureOf } from '../adyen-notifications.ts'
import type { ToldItem } from './double-ledger.ts'

/** A key as Adyen makes it, in hex. */
export const SIGNING_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'

/** A standard webhook of Adyen with these items, each signed. */
export function signedNotification(
  items: readonly ToldItem[],
  { signingKeys: [key = ''], user, password }: NotificationSecrets,
): { headers: Record<string, string>; body: string } {
  const notificationItems = items.map((item) => {
    const additionalData = { ...item.additionalData, hmacSignature: signatureOf(item, key) }
    return { NotificationRequestItem: { ...item, additionalData } }
  })
  return {
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
    },
    body: JSON.stringify({ live: 'false', notificationItems }),
  }
}
