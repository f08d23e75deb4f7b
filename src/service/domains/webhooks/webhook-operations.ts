import * as v from 'valibot'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import {
  ALL_EVENTS,
  DELIVERY_STATUSES,
  WebhookChange,
  WebhookDeliveryResource,
  WebhookRequest,
  WebhookResource,
  WebhookSecretRequest,
} from '../../../contract/api/webhook.ts'
import type { DescribedResource, Operation } from '../../platform/http/operation.ts'
import { limitOf, pageEntries } from '../../platform/listing/page-query.ts'

export const WebhookParams = v.object({ id: Identifier })
export const DeliveryParams = v.object({ id: Identifier, event_id: Identifier })

/** Query of `GET /v1/webhooks/{id}/deliveries`. Strict: a misspelt filter would list what was not asked for. */
export const DeliveryQuery = v.strictObject({
  status: v.optional(v.picklist(DELIVERY_STATUSES, 'must be waiting, delivered or failed')),
  limit: limitOf('100'),
  cursor: pageEntries.cursor,
})

const example: WebhookResource = {
  _id: '6b0179918a1c5e0b3d2f4a60',
  url: 'https://shop.acme.example/hooks/card',
  events: ['charge.captured', 'charge.expired'],
  status: 'enabled',
  old_secret_ends_at: null,
  created_at: '2026-11-21T10:00:00.000Z',
}
const webhook: DescribedResource = {
  name: 'Webhook',
  schema: WebhookResource,
  words: {
    status: 'disabled: its server said 410 Gone, or you did, and nothing is sent there until you enable it.',
    secret:
      'What its messages are signed with (Standard Webhooks): shown by the answer that makes it, this once.',
    old_secret_ends_at:
      'Until when messages are signed by the secrets that were replaced, too; null when the newest signs alone.',
  },
  example,
}
const deliveryExample: WebhookDeliveryResource = {
  event_id: '6b0179b48a1c5e0b3d2f4a61',
  type: 'charge.captured',
  resource_id: '6b0179918a1c5e0b3d2f4a62',
  charge_id: '6b0179918a1c5e0b3d2f4a62',
  status: 'waiting',
  attempts: 1,
  last_status: 500,
  last_fault: 'the server said 500',
  next_at: '2026-11-21T10:00:06.000Z',
  delivered_at: null,
  created_at: '2026-11-21T10:00:00.000Z',
}
const delivery: DescribedResource = {
  name: 'WebhookDelivery',
  schema: WebhookDeliveryResource,
  words: {
    event_id: 'The `webhook-id` of its messages.',
    resource_id:
      'The `_id` of the charge, checkout, agreement or payment that the event is about; of a test, the webhook’s.',
    charge_id: 'The same for an event of a charge; null for any other.',
    status: 'waiting: it is sent at next_at; failed: nobody tries again.',
  },
  example: deliveryExample,
}

const settings = {
  url: 'https (in sandbox http for localhost too), without a user name or fragment.',
  events: `\`${ALL_EVENTS}\` among them: all of them, also those that come to exist later.`,
}

const all = { group: 'Webhooks', key: 'secret' } as const
const one = { ...all, params: { schema: WebhookParams, words: { id: 'The `_id` of a webhook.' } } } as const

/** The webhook routes as the OpenAPI document shows them. */
export const webhookOperations = {
  make: {
    ...all,
    id: 'createWebhook',
    isRepeatable: true,
    summary: 'Be told of what becomes of charges, checkouts, agreements and payments',
    description:
      'Each event is POSTed to `url` as `{type, timestamp, data}`, `data` being the charge, checkout, agreement or payment as it was after it, signed as Standard Webhooks says; at least once, for up to three days, and not always in order.',
    body: {
      schema: WebhookRequest,
      words: { ...settings, events: `All of them when left out. ${settings.events}` },
      example: { url: example.url, events: example.events },
    },
    answers: [
      {
        status: 201,
        words: 'The webhook, with its secret.',
        resource: webhook,
      },
    ],
    errors: ['unfulfilled_condition'],
  },
  list: {
    ...all,
    id: 'listWebhooks',
    summary: 'List webhooks',
    answers: [{ status: 200, words: 'All of them: 16 at most.', resource: webhook, isPage: true }],
  },
  get: {
    ...one,
    id: 'getWebhook',
    summary: 'Read a webhook',
    answers: [{ status: 200, words: 'The webhook.', resource: webhook }],
    errors: ['not_found'],
  },
  change: {
    ...one,
    id: 'updateWebhook',
    isRepeatable: true,
    summary: 'Change a webhook',
    description:
      'What is left out stays. A webhook that is enabled again is sent what happens from then on; what was given up while it was disabled stays so, and can be sent again or read as events.',
    body: {
      schema: WebhookChange,
      words: { ...settings, status: 'disabled: what waits for it is given up.' },
      example: { events: ['charge.captured', 'charge.refunded'] },
    },
    answers: [{ status: 200, words: 'The webhook as it is now.', resource: webhook }],
    errors: ['not_found', 'unfulfilled_condition'],
  },
  rollSecret: {
    ...one,
    id: 'rollWebhookSecret',
    isRepeatable: true,
    summary: 'Give a webhook a new secret',
    description:
      'For the overlap each message is signed by the new secret and by those that it replaces; then these are erased. So your server may take the new one at any moment of it.',
    body: {
      schema: WebhookSecretRequest,
      words: { overlap_seconds: 'How long what is replaced signs, too; 0: it ends at once.' },
      example: { overlap_seconds: 86_400 },
    },
    answers: [{ status: 201, words: 'The webhook, with its new secret.', resource: webhook }],
    errors: ['not_found', 'unfulfilled_condition'],
  },
  remove: {
    ...one,
    id: 'deleteWebhook',
    isRepeatable: true,
    summary: 'Delete a webhook',
    description: 'With all that was still to be sent there.',
    answers: [{ status: 200, words: 'The webhook as it was.', resource: webhook }],
    errors: ['not_found'],
  },
  deliveries: {
    ...one,
    id: 'listWebhookDeliveries',
    summary: 'See what was sent to a webhook',
    query: {
      schema: DeliveryQuery,
      words: { limit: '1 to 100.', cursor: 'The `next` of an earlier page.' },
    },
    answers: [
      { status: 200, words: 'A page of deliveries, newest first.', resource: delivery, isPage: true },
    ],
    errors: ['not_found'],
  },
  test: {
    ...one,
    id: 'testWebhook',
    isRepeatable: true,
    summary: 'Try a webhook out',
    description:
      'Sends an event of type `test.ping` to this webhook alone, signed and tried again as every other is. Its `data` is the webhook.',
    answers: [{ status: 201, words: 'The delivery as it begins.', resource: delivery }],
    errors: ['not_found', 'unfulfilled_condition'],
  },
  resend: {
    ...all,
    id: 'resendWebhookDelivery',
    isRepeatable: true,
    params: {
      schema: DeliveryParams,
      words: { id: 'The `_id` of a webhook.', event_id: 'The `event_id` of one of its deliveries.' },
    },
    summary: 'Send an event to a webhook once more',
    description: 'Whether it was delivered or given up: it is due at once, with all its attempts before it.',
    answers: [{ status: 201, words: 'The delivery as it begins anew.', resource: delivery }],
    errors: ['not_found', 'unfulfilled_condition'],
  },
} satisfies Record<string, Operation>
