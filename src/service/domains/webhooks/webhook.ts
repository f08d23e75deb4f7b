import type { WebhookEventType } from '../../../contract/api/webhook.ts'
import type { SealedText } from '../../platform/vault/sealed-text.ts'

/** Where a merchant's server is told of events. */
export interface Webhook {
  id: string
  merchantId: string
  url: string
  eventTypes: readonly WebhookEventType[]
  createdAt: Date
  /** When its server said 410 Gone. */
  disabledAt: Date | null
}

/** An event that is due to be sent to a webhook, taken by this process for a while. */
export interface DueDelivery {
  webhook: { id: string; merchantId: string; url: string; secret: SealedText }
  event: { id: string; type: string; subject: string; createdAt: Date }
  /** With the one that it was taken for. */
  attempts: number
}

/** How far an event has got on its way to a webhook. */
export interface Delivery {
  webhookId: string
  eventId: string
  eventType: string
  subject: string
  attempts: number
  lastStatus: number | null
  lastFault: string | null
  nextAt: Date | null
  deliveredAt: Date | null
  createdAt: Date
}

/** Place of a webhook's signing secret in the vault. */
export function placeOf({ merchantId, id }: Pick<Webhook, 'merchantId' | 'id'>): string {
  return `${merchantId}/webhook/${id}`
}
