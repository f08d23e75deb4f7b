import type { FastifyInstance } from 'fastify'
import { WebhookRequest } from '../../../contract/api/webhook.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import type { Authenticate } from '../../platform/http/callers/authenticate.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import type { Operation } from '../../platform/http/operation.ts'
import type { AnswerOnce } from '../../platform/idempotency/answer-once.ts'
import type { DeliveryLog } from './delivery/delivery-log.ts'
import { WebhookParams, webhookOperations } from './webhook-operations.ts'
import { toDeliveryResource, toWebhookResource } from './webhook-resource.ts'
import type { Webhooks } from './webhooks.ts'

interface Parts {
  webhooks: Webhooks
  deliveries: Pick<DeliveryLog, 'ofWebhook'>
  authenticate: Authenticate<{ id: string }>
  answerOnce: AnswerOnce
}

/** The routes by which a merchant manages its webhooks. */
export function addWebhookRoutes(
  app: FastifyInstance,
  { webhooks, deliveries, authenticate, answerOnce }: Parts,
): void {
  const config = (operation: Operation, resourceType = 'webhook') => ({ config: { resourceType, operation } })

  app.post('/v1/webhooks', config(webhookOperations.make), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const body = decode(WebhookRequest, request.body)
    return answerOnce({ request, reply, merchantId: merchant.id }, async () => {
      const { webhook, secret } = await webhooks.make(merchant.id, body)
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

  app.delete('/v1/webhooks/:id', config(webhookOperations.remove), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(WebhookParams, request.params)
    return answerOnce({ request, reply, merchantId: merchant.id }, async () => {
      const removed = await webhooks.remove(merchant.id, id)
      return { status: 200, type: 'webhook', data: toWebhookResource(removed) }
    })
  })

  const ofDeliveries = config(webhookOperations.deliveries, 'webhook_delivery')
  app.get('/v1/webhooks/:id/deliveries', ofDeliveries, async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(WebhookParams, request.params)
    const webhook = await webhooks.get(merchant.id, id)
    const sent = await deliveries.ofWebhook(webhook.id)
    return answer(reply, 200, 'webhook_delivery', sent.map(toDeliveryResource), null)
  })
}
