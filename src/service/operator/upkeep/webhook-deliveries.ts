import { writeEvent } from '../../domains/events/write-event.ts'
import { createDeliveryLog } from '../../domains/webhooks/delivery/delivery-log.ts'
import type { Command } from '../command.ts'
import { onOneLine } from '../on-one-line.ts'

export const webhookDeliveries: Command = {
  name: 'webhook-deliveries',
  usage: `webhook-deliveries MERCHANT_ID
      lists a merchant's events that were sent to a webhook and have not arrived, newest first, 1000 at most`,
  async run({ database, merchants, say }, [merchantId, ...more]) {
    if (merchantId === undefined || more.length > 0) return 2
    if ((await merchants.find(merchantId)) === null) {
      say(`There is no merchant ${merchantId}.`)
      return 1
    }
    const deliveries = await createDeliveryLog(database, writeEvent).undelivered(merchantId)
    for (const { eventId, eventType, subject, attempts, lastFault, nextAt, url } of deliveries) {
      const next = nextAt === null ? 'given up' : `next at ${nextAt.toISOString()}`
      const words = [
        eventId,
        eventType,
        subject,
        url,
        `${String(attempts)} attempts`,
        lastFault ?? 'under way',
        next,
      ]
      say(onOneLine(words.join('  ')))
    }
    if (deliveries.length === 0) say('Nothing is undelivered.')
    return 0
  },
}
