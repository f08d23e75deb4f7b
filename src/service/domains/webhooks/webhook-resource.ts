import { WebhookEventType } from '../../../contract/api/webhook.ts'
import type { WebhookDeliveryResource, WebhookResource } from '../../../contract/api/webhook.ts'
import { kindOf } from './events.ts'
import { deliveryStateOf } from './delivery.ts'
import type { Delivery } from './delivery.ts'
import type { Webhook } from './webhook.ts'

/** A webhook → its wire form. */
export function toWebhookResource(webhook: Webhook): WebhookResource {
  const { id, url, eventTypes, disabledAt, oldSecretEndsAt, createdAt } = webhook
  return {
    _id: id,
    url,
    events: [...(eventTypes ?? WebhookEventType.options)],
    status: disabledAt === null ? 'enabled' : 'disabled',
    old_secret_ends_at: oldSecretEndsAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  }
}

/** A delivery → its wire form. */
export function toDeliveryResource(delivery: Delivery): WebhookDeliveryResource {
  const { nextAt, deliveredAt } = delivery
  return {
    event_id: delivery.eventId,
    type: delivery.eventType,
    resource_id: delivery.subject,
    charge_id: kindOf(delivery.eventType) === 'charge' ? delivery.subject : null,
    status: deliveryStateOf(delivery),
    attempts: delivery.attempts,
    last_status: delivery.lastStatus,
    last_fault: delivery.lastFault,
    next_at: nextAt === null ? null : nextAt.toISOString(),
    delivered_at: deliveredAt === null ? null : deliveredAt.toISOString(),
    created_at: delivery.createdAt.toISOString(),
  }
}
