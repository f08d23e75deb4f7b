import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { itemOf } from './catalogue.ts'
import { CheckoutQuery } from './checkout-query.ts'
import { lookUpPolicy } from '../pages/page-headers.ts'
import { inDollars } from './money.ts'
import type { OrderBook } from './order-book.ts'
import type { createPages } from '../pages/pages.ts'

interface Parts {
  page: ReturnType<typeof createPages>
  orders: OrderBook
}

const Params = v.object({ intent: v.string() })

/**
 * The page that shows the card service's whole checkout, by the SDK release that the service recommends for it. Each
 * order has an address of its own: to reload it, or to come back to it, never makes a second one to pay.
 */
export function addSmartCheckoutRoutes(app: FastifyInstance, { page, orders }: Parts): void {
  app.get('/smart-checkout', async (request, reply) => {
    const { item: id, quantity } = v.parse(CheckoutQuery, request.query)
    const item = itemOf(id)
    if (!item) {
      reply.callNotFound()
      return reply
    }
    return reply.redirect(`/smart-checkout/${await orders.intend(item, quantity)}`, 303)
  })

  app.get('/smart-checkout/:intent', async (request, reply) => {
    const found = await orders.checkoutOf(v.parse(Params, request.params).intent)
    if (!found) {
      reply.callNotFound()
      return reply
    }
    const { order, item, intent } = found
    const { token, recommended_sdk_version_url: sdkUrl, recommended_sdk_version_integrity: hash } = intent
    if (intent.status === 'completed') {
      await orders.confirm(intent._id)
      return reply.redirect(`/orders/${order.reference}`, 303)
    }
    // It expired, and nothing was taken: the order can be paid in a new one.
    if (token === null)
      return reply.redirect(`/smart-checkout?item=${item.id}&quantity=${String(order.quantity)}`, 303)
    const nonce = randomUUID()
    void reply.headers({
      'content-security-policy': lookUpPolicy(sdkUrl, nonce),
      'cache-control': 'no-store',
    })
    const values = {
      nonce,
      name: item.name,
      quantity: String(order.quantity),
      unit: inDollars(item.price),
      total: inDollars(order.total),
      token,
      sdk_url: sdkUrl,
      sdk_integrity: hash,
    }
    return reply.type('text/html; charset=utf-8').send(await page('smart-checkout', 'Checkout', values))
  })
}
