import type { FastifyInstance } from 'fastify'
import { WebhookChange, WebhookRequest, WebhookSecretRequest } from '../../../contract/api/webhook.ts'
import { ServiceError } from '../../platform/errors.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import type { Authenticate } from '../../platform/http/callers/authenticate.ts'
import type { Actor } from '../../../contract/dashboard/audit.ts'
import { actorOf } from '../../platform/http/callers/session.ts'
import { decode, decodeBody } from '../../platform/http/requests/decode.ts'
import type { Operation } from '../../platform/http/operation.ts'
import type { AnswerIdempotently } from '../../platform/idempotency.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import { positionOf, toCursor } from '../../platform/listing/cursor.ts'
import type { DeliveryLog } from './delivery/delivery-log.ts'
import { DeliveryParams, DeliveryQuery, WebhookParams, webhookOperations } from './webhook-operations.ts'
import { toDeliveryResource, toWebhookResource } from './webhook-resource.ts'
import type { Webhooks } from './webhooks.ts'

/** A merchant by its key, or a person of it who is signed in to the dashboard. */
interface Caller {
  id: string
  userId?: string
}

interface Parts {
  webhooks: Webhooks
  deliveries: Pick<DeliveryLog, 'ofWebhook' | 'resend'>
  createId: CreateId
  authenticate: Authenticate<Caller>
  answerIdempotently: AnswerIdempotently
}

/** Who acts, for the audit log. */
const actorFor = ({ userId }: Caller): Actor =>
  userId === undefined ? 'merchant' : actorOf({ user: { id: userId } })

const config = (operation: Operation, resourceType = 'webhook') => ({ config: { resourceType, operation } })

/** The routes by which a merchant manages its webhooks. */
export function addWebhookRoutes(app: FastifyInstance, parts: Parts): void {
  const { webhooks, authenticate, answerIdempotently } = parts
  app.post('/v1/webhooks', config(webhookOperations.make), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const body = decodeBody(WebhookRequest, request.body)
    return answerIdempotently({ request, reply, merchantId: merchant.id }, async () => {
      const { webhook, secret } = await webhooks.make(merchant.id, body, actorFor(merchant))
      return { status: 201, type: 'webhook', data: { ...toWebhookResource(webhook), secret } }
    })
  })

  app.get('/v1/webhooks', config(webhookOperations.list), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    return answer(reply, 200, 'webhook', (await webhooks.list(merchant.id)).map(toWebhookResource), null)
  })

  app.get('/v1/webhooks/:id', config(webhookOperations.get), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(WebhookParams, request.params)
    return answer(reply, 200, 'webhook', toWebhookResource(await webhooks.get(merchant.id, id)))
  })

  app.patch('/v1/webhooks/:id', config(webhookOperations.change), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(WebhookParams, request.params)
    const body = decodeBody(WebhookChange, request.body)
    return answerIdempotently({ request, reply, merchantId: merchant.id }, async () => {
      const changed = await webhooks.change({ merchantId: merchant.id, id }, body, actorFor(merchant))
      return { status: 200, type: 'webhook', data: toWebhookResource(changed) }
    })
  })

  app.delete('/v1/webhooks/:id', config(webhookOperations.remove), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(WebhookParams, request.params)
    return answerIdempotently({ request, reply, merchantId: merchant.id }, async () => {
      const removed = await webhooks.remove(merchant.id, id, actorFor(merchant))
      return { status: 200, type: 'webhook', data: toWebhookResource(removed) }
    })
  })

  addActRoutes(app, parts)
  addDeliveryRoutes(app, parts)
}

/** Trying a webhook out, and giving it another secret. */
function addActRoutes(app: FastifyInstance, { webhooks, authenticate, answerIdempotently }: Parts): void {
  app.post(
    '/v1/webhooks/:id/test',
    config(webhookOperations.test, 'webhook_delivery'),
    async (request, reply) => {
      const merchant = await authenticate(request, 'secret')
      const { id } = decode(WebhookParams, request.params)
      return answerIdempotently({ request, reply, merchantId: merchant.id }, async () => {
        const delivery = await webhooks.test(merchant.id, id, actorFor(merchant))
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
      const { webhook, secret } = await webhooks.rollSecret(place, overlapSeconds, actorFor(merchant))
      return { status: 201, type: 'webhook', data: { ...toWebhookResource(webhook), secret } }
    })
  })
}

/** What was sent to a webhook, and sending it again. */
function addDeliveryRoutes(
  app: FastifyInstance,
  { webhooks, deliveries, createId, authenticate, answerIdempotently }: Parts,
): void {
  const ofDeliveries = config(webhookOperations.deliveries, 'webhook_delivery')
  app.get('/v1/webhooks/:id/deliveries', ofDeliveries, async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(WebhookParams, request.params)
    const { status = null, limit, cursor = '' } = decode(DeliveryQuery, request.query)
    const webhook = await webhooks.get(merchant.id, id)
    const filter = { status, limit: limit + 1, after: positionOf(cursor) }
    const found = await deliveries.ofWebhook(webhook.id, filter)
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
      await webhooks.getEnabled(merchant.id, id)
      const act = { id: createId(), actor: actorFor(merchant) }
      const delivery = await deliveries.resend(merchant.id, id, eventId, act)
      if (delivery === null) throw new ServiceError('not_found', 'This webhook was not sent such an event.')
      return { status: 201, type: 'webhook_delivery', data: toDeliveryResource(delivery) }
    })
  })
}
