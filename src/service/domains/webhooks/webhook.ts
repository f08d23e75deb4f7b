import type { WebhookDeliveryResource, WebhookEventType } from '../../../contract/api/webhook.ts'
import type { Moves } from '../../platform/state-machine.ts'
import type { SealedText } from '../../platform/vault/sealed-text.ts'

/** Where a merchant's server is told of events. */
export interface Webhook {
  id: string
  merchantId: string
  url: string
  /** What it is told of; null: everything, also what comes to exist later. */
  eventTypes: readonly WebhookEventType[] | null
  createdAt: Date
  /** When its server said 410 Gone, or its merchant that nothing is to be sent there. */
  disabledAt: Date | null
  /** False once the key that opened it is lost. */
  hasSecret: boolean
  /** Until when secrets that were replaced sign, too. */
  oldSecretEndsAt: Date | null
}

/** An event as far as it is told. `subject`: the id of what it is about. */
export interface ToldEvent {
  id: string
  type: string
  subject: string
  createdAt: Date
}

/** An event that is due to be sent to a webhook, taken by this process for a while. */
export interface DueDelivery {
  /** `secrets`: each signs; the newest is first. */
  webhook: { id: string; merchantId: string; url: string; secrets: readonly SealedText[] }
  event: ToldEvent
  /** Counts the one that it was taken for. */
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

/** How it begins: due at once. */
export function newDelivery(
  about: Pick<Delivery, 'webhookId' | 'eventId' | 'eventType' | 'subject' | 'createdAt'>,
): Delivery {
  const { createdAt: nextAt } = about
  return { ...about, attempts: 0, lastStatus: null, lastFault: null, nextAt, deliveredAt: null }
}

/** Where a delivery stands, as the wire says it. `failed`: nobody tries again. */
export type DeliveryState = WebhookDeliveryResource['status']

/** `take`: for one attempt; `give_back`: the attempt was cut short; `disable`: nothing is sent to the webhook any more. */
export type DeliveryAction = 'take' | 'give_back' | 'deliver' | 'retry' | 'give_up' | 'disable'

/** Where a delivery can go. A server may take what was given up meanwhile; what it has taken stays so. */
export const deliveryMoves: Moves<DeliveryState, DeliveryAction> = {
  waiting: {
    take: 'waiting',
    give_back: 'waiting',
    deliver: 'delivered',
    retry: 'waiting',
    give_up: 'failed',
    disable: 'failed',
  },
  delivered: {},
  failed: { deliver: 'delivered' },
}

export function deliveryStateOf({
  deliveredAt,
  nextAt,
}: Pick<Delivery, 'deliveredAt' | 'nextAt'>): DeliveryState {
  if (deliveredAt !== null) return 'delivered'
  return nextAt === null ? 'failed' : 'waiting'
}

/** Place of a webhook's signing secret in the vault. */
export function placeOf({ merchantId, id }: Pick<Webhook, 'merchantId' | 'id'>): string {
  return `${merchantId}/webhook/${id}`
}
