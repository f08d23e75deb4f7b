import type {
  CreateWebhook,
  ListWebhookDeliveries,
  RollWebhookSecret,
  UpdateWebhook,
  Webhook,
  WebhookDelivery,
} from '../operations.ts'
import type { Api } from '../sending/api.ts'
import type { CallOptions, ReadOptions } from '../sending/call-options.ts'
import type { List } from '../sending/list.ts'

/** Where events are sent. What comes there is checked by `verifyWebhook`. */
export class Webhooks {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Makes one. Its `secret` is in this answer and in no other: keep it. */
  create(webhook: CreateWebhook, options?: CallOptions): Promise<Webhook> {
    return this.#api.call('createWebhook', { body: webhook }, options)
  }

  /** Changes where it is, what it is told of, and whether it is enabled; what is left out stays. */
  update(id: string, change: UpdateWebhook, options?: CallOptions): Promise<Webhook> {
    return this.#api.call('updateWebhook', { params: { id }, body: change }, options)
  }

  /** Makes a new `secret`, in this answer and in no other. Messages are signed by those before it, too, until the overlap is over. */
  rollSecret(id: string, overlap: RollWebhookSecret, options?: CallOptions): Promise<Webhook> {
    return this.#api.call('rollWebhookSecret', { params: { id }, body: overlap }, options)
  }

  /** Deletes one, with all that was still to be sent there. */
  delete(id: string, options?: CallOptions): Promise<Webhook> {
    return this.#api.call('deleteWebhook', { params: { id } }, options)
  }

  /** Reads one. */
  retrieve(id: string, options?: ReadOptions): Promise<Webhook> {
    return this.#api.call('getWebhook', { params: { id } }, options)
  }

  /** Lists all of them: 16 at most. */
  list(options?: ReadOptions): List<Webhook> {
    return this.#api.list('listWebhooks', {}, options)
  }

  /** Sends an event `test.ping` to this one alone. */
  test(id: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.#api.call('testWebhook', { params: { id } }, options)
  }

  /** What was sent there and what became of it, newest first. */
  deliveries(id: string, filter: ListWebhookDeliveries = {}, options?: ReadOptions): List<WebhookDelivery> {
    return this.#api.list('listWebhookDeliveries', { params: { id }, query: filter }, options)
  }

  /** Sends an event there once more, whether it was delivered or given up. */
  resend(id: string, eventId: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.#api.call('resendWebhookDelivery', { params: { id, event_id: eventId } }, options)
  }
}
