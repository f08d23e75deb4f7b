import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { itemOf } from './catalogue.ts'
import { CheckoutQuery } from './checkout-query.ts'
import { lookUpPolicy } from './look-up-policy.ts'
import { inDollars } from './money.ts'
import type { OrderBook } from './order-book.ts'
import type { createPages } from './pages.ts'

interface Parts {
  page: ReturnType<typeof createPages>
  orders: OrderBook
}

/** The page that shows the card service's whole checkout, by the SDK release that the service recommends for it. */
export function addSmartCheckoutRoute(app: FastifyInstance, { page, orders }: Parts): void {
  app.get('/smart-checkout', async (request, reply) => {
    const { item: id, quantity } = v.parse(CheckoutQuery, request.query)
    const item = itemOf(id)
    if (!item) {
      reply.callNotFound()
      return reply
    }
    const intent = await orders.intend(item, quantity)
    const nonce = randomUUID()
    void reply.headers({
      'content-security-policy': lookUpPolicy(intent.recommended_sdk_version_url, nonce),
      'cache-control': 'no-store',
    })
    const values = {
      nonce,
      name: item.name,
      quantity: String(quantity),
      unit: inDollars(item.price),
      total: inDollars(item.price * quantity),
      token: intent.token,
      sdk_url: intent.recommended_sdk_version_url,
      sdk_integrity: intent.recommended_sdk_version_integrity,
    }
    return reply.type('text/html; charset=utf-8').send(await page('smart-checkout', 'Checkout', values))
  })
}
