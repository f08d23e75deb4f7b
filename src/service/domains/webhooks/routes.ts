import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { EventResource } from '../../../contract/api/event-resource.ts'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import {
  ALL_EVENTS,
  DELIVERY_STATUSES,
  WebhookChange,
  WebhookDeliveryResource,
  WebhookEventType,
  WebhookRequest,
  WebhookResource,
  WebhookSecretRequest,
} from '../../../contract/api/webhook.ts'
import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { MerchantAccess } from '../../platform/domain.ts'
import { notFound } from '../../platform/errors.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import { actorOf } from '../../platform/http/callers/session.ts'
import type { DescribedResource, Operation } from '../../platform/http/operation.ts'
import { decode, decodeBody } from '../../platform/http/requests/decode.ts'
import { positionOf, toCursor } from '../../platform/listing/cursor.ts'
import { limitOf, pageEntries, pageOf } from '../../platform/listing/page-query.ts'
import { listDeliveries } from './delivery-log.ts'
import { contentOf, findEvent, listEvents } from './events.ts'
import type { MerchantEvent, ResourcesAsOf } from './events.ts'
import { toDeliveryResource, toWebhookResource } from './webhook-resource.ts'
import { listWebhooks } from './webhook-store.ts'
import {
  addWebhook,
  changeWebhook,
  getWebhook,
  removeWebhook,
  resendEvent,
  rollSecret,
  testWebhook,
} from './webhooks.ts'
import type { WebhooksDeps } from './webhooks.ts'

/** Who acts, for the audit log: the merchant by its key, or a person of it who is signed in to the dashboard. */
const actorFor = ({ userId }: { userId?: string }): Actor =>
  userId === undefined ? 'merchant' : actorOf({ user: { id: userId } })

const config = (operation: Operation, resourceType = 'webhook') => ({ config: { resourceType, operation } })

/** The routes by which a merchant manages its webhooks. */
export function addWebhookRoutes(app: FastifyInstance, deps: WebhooksDeps, access: MerchantAccess): void {
  const { authenticate, answerIdempotently } = access
  app.post('/v1/webhooks', config(webhookOperations.make), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const body = decodeBody(WebhookRequest, request.body)
    return answerIdempotently({ request, reply, merchantId: merchant.id }, async () => {
      const { webhook, secret } = await addWebhook(deps, merchant.id, body, actorFor(merchant))
      return { status: 201, type: 'webhook', data: { ...toWebhookResource(webhook), secret } }
    })
  })

  app.get('/v1/webhooks', config(webhookOperations.list), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const found = await listWebhooks(deps.database, merchant.id)
    return answer(reply, 200, 'webhook', found.map(toWebhookResource), null)
  })

  app.get('/v1/webhooks/:id', config(webhookOperations.get), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(WebhookParams, request.params)
    const webhook = await getWebhook(deps, { merchantId: merchant.id, id })
    return answer(reply, 200, 'webhook', toWebhookResource(webhook))
  })

  app.patch('/v1/webhooks/:id', config(webhookOperations.change), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(WebhookParams, request.params)
    const body = decodeBody(WebhookChange, request.body)
    return answerIdempotently({ request, reply, merchantId: merchant.id }, async () => {
      const changed = await changeWebhook(deps, { merchantId: merchant.id, id }, body, actorFor(merchant))
      return { status: 200, type: 'webhook', data: toWebhookResource(changed) }
    })
  })

  app.delete('/v1/webhooks/:id', config(webhookOperations.remove), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(WebhookParams, request.params)
    return answerIdempotently({ request, reply, merchantId: merchant.id }, async () => {
      const removed = await removeWebhook(deps, { merchantId: merchant.id, id }, actorFor(merchant))
      return { status: 200, type: 'webhook', data: toWebhookResource(removed) }
    })
  })

  addActRoutes(app, deps, access)
  addDeliveryRoutes(app, deps, access)
}

/** Trying a webhook out, and giving it another secret. */
function addActRoutes(
  app: FastifyInstance,
  deps: WebhooksDeps,
  { authenticate, answerIdempotently }: MerchantAccess,
): void {
  app.post(
    '/v1/webhooks/:id/test',
    config(webhookOperations.test, 'webhook_delivery'),
    async (request, reply) => {
      const merchant = await authenticate(request, 'secret')
      const { id } = decode(WebhookParams, request.params)
      return answerIdempotently({ request, reply, merchantId: merchant.id }, async () => {
        const delivery = await testWebhook(deps, { merchantId: merchant.id, id }, actorFor(merchant))
        return { status: 201, type: 'webhook_delivery', data: toDeliveryResource(delivery) }
      })
    },
  )

  const ofRolling = {
    config: {
      ...config(webhookOperations.rollSecret).config,
      permission: 'see_secrets',
      needsFreshPassword: true,
    },
  } as const
  app.post('/v1/webhooks/:id/secret', ofRolling, async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(WebhookParams, request.params)
    const { overlap_seconds: overlapSeconds } = decodeBody(WebhookSecretRequest, request.body)
    return answerIdempotently({ request, reply, merchantId: merchant.id }, async () => {
      const place = { merchantId: merchant.id, id }
      const { webhook, secret } = await rollSecret(deps, place, overlapSeconds, actorFor(merchant))
      return { status: 201, type: 'webhook', data: { ...toWebhookResource(webhook), secret } }
    })
  })
}

/** What was sent to a webhook, and sending it again. */
function addDeliveryRoutes(
  app: FastifyInstance,
  deps: WebhooksDeps,
  { authenticate, answerIdempotently }: MerchantAccess,
): void {
  const ofDeliveries = config(webhookOperations.deliveries, 'webhook_delivery')
  app.get('/v1/webhooks/:id/deliveries', ofDeliveries, async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(WebhookParams, request.params)
    const { status = null, limit, cursor = '' } = decode(DeliveryQuery, request.query)
    const webhook = await getWebhook(deps, { merchantId: merchant.id, id })
    const filter = { status, limit: limit + 1, after: positionOf(cursor) }
    const found = await listDeliveries(deps.database, webhook.id, filter)
    const shown = found.slice(0, limit)
    const last = found.length > limit ? shown.at(-1) : undefined
    const next = last === undefined ? null : toCursor({ id: last.eventId, createdAt: last.createdAt })
    return answer(reply, 200, 'webhook_delivery', shown.map(toDeliveryResource), next)
  })

  const ofResending = config(webhookOperations.resend, 'webhook_delivery')
  app.post('/v1/webhooks/:id/deliveries/:event_id/resend', ofResending, async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id, event_id: eventId } = decode(DeliveryParams, request.params)
    return answerIdempotently({ request, reply, merchantId: merchant.id }, async () => {
      const place = { merchantId: merchant.id, id }
      const delivery = await resendEvent(deps, place, eventId, actorFor(merchant))
      return { status: 201, type: 'webhook_delivery', data: toDeliveryResource(delivery) }
    })
  })
}

/** The routes by which a merchant reads events. `resourcesAsOf`: what messages show, too. */
export function addEventRoutes(
  app: FastifyInstance,
  { database }: WebhooksDeps,
  resourcesAsOf: ResourcesAsOf,
  { authenticate }: MerchantAccess,
): void {
  const toResource = async (event: MerchantEvent) => ({
    _id: event.id,
    ...(await contentOf(resourcesAsOf, event)),
  })

  app.get('/v1/events', config(eventOperations.list, 'event'), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const query = decode(EventQuery, request.query)
    const filter = {
      type: query.type ?? null,
      from: query['created_at.from'] ?? null,
      to: query['created_at.to'] ?? null,
      after: positionOf(query.cursor ?? ''),
      limit: query.limit,
    }
    const { shown, next } = await pageOf(filter, (page) => listEvents(database, merchant.id, page))
    return answer(reply, 200, 'event', await Promise.all(shown.map(toResource)), next)
  })

  app.get('/v1/events/:id', config(eventOperations.get, 'event'), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(EventParams, request.params)
    const event = await findEvent(database, merchant.id, id)
    if (event === null) throw notFound('event')
    return answer(reply, 200, 'event', await toResource(event))
  })
}

const WebhookParams = v.object({ id: Identifier })
const DeliveryParams = v.object({ id: Identifier, event_id: Identifier })

/** Query of `GET /v1/webhooks/{id}/deliveries`. Strict: a misspelt filter would list what was not asked for. */
const DeliveryQuery = v.strictObject({
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
const webhookOperations = {
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

const EventParams = v.object({ id: Identifier })

/** Query of `GET /v1/events`. Strict: a misspelt filter would list what was not asked for. */
const EventQuery = v.strictObject({
  type: v.optional(WebhookEventType),
  'created_at.from': pageEntries['created_at.from'],
  'created_at.to': pageEntries['created_at.to'],
  limit: pageEntries.limit,
  cursor: pageEntries.cursor,
})

const event: DescribedResource = {
  name: 'Event',
  schema: EventResource,
  words: {
    _id: 'The `webhook-id` of its messages.',
    type: 'What happened.',
    timestamp: 'When it happened.',
    data: 'What it is about, as it was right after the event.',
  },
  example: {
    _id: '6b0179b48a1c5e0b3d2f4a61',
    type: 'checkout.cancelled',
    timestamp: '2026-11-21T10:00:00.000Z',
    data: { _id: '6b0179918a1c5e0b3d2f4a62', status: 'cancelled' },
  },
}
/** The routes of events as the OpenAPI document shows them. */
const eventOperations = {
  list: {
    id: 'listEvents',
    group: 'Events',
    key: 'secret',
    summary: 'List what happened',
    description:
      'Newest first, whether or not a webhook was told. An event stands here within a second. `resource.next` is the `cursor` of the next page, null on the last.',
    query: { schema: EventQuery, words: { type: 'Of this type alone.' } },
    answers: [{ status: 200, words: 'A page of events.', resource: event, isPage: true }],
  },
  get: {
    id: 'getEvent',
    group: 'Events',
    key: 'secret',
    params: { schema: EventParams, words: { id: 'The `_id` of an event.' } },
    summary: 'Read an event',
    answers: [{ status: 200, words: 'The event: what a webhook is sent.', resource: event }],
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>
