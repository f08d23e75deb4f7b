import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { itemOf } from './catalogue.ts'
import { CheckoutQuery } from './checkout-query.ts'
import { recommendedSdkPolicy } from '../pages/page-headers.ts'
import { inDollars } from './money.ts'
import type { OrderBook } from './order-book.ts'
import type { createPages } from '../pages/pages.ts'

interface SmartCheckoutParts {
  page: ReturnType<typeof createPages>
  orders: OrderBook
}

const Params = v.object({ intent: v.string() })

/**
 * The page with the card service's whole checkout, shown by the SDK release that the service recommends. Each order has an
 * address of its own, so that reloading the page or returning to it never creates a second checkout.
 */
export function addSmartCheckoutRoutes(app: FastifyInstance, { page, orders }: SmartCheckoutParts): void {
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
    // The checkout has expired unpaid: the order can be paid in a new one.
    if (token === null)
      return reply.redirect(`/smart-checkout?item=${item.id}&quantity=${String(order.quantity)}`, 303)
    const nonce = randomUUID()
    void reply.headers({
      'content-security-policy': recommendedSdkPolicy(sdkUrl, nonce),
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
