import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as v from 'valibot'
import { itemOf, LAMP, MAX_QUANTITY } from '../orders/catalogue.ts'
import { CheckoutQuery } from '../orders/checkout-query.ts'
import { inDollars } from '../orders/money.ts'
import type { createPages } from './pages.ts'
import type { ShopKeys } from '../card-service/shop-keys.ts'
import { SUBSCRIPTION_PRICE } from '../subscriptions/plans.ts'

/** A test payer's PayID, for the form to begin with. */
const SubscribeQuery = v.object({ pay_id: v.fallback(v.pipe(v.string(), v.maxLength(254)), '') })

interface PageRouteParts {
  page: ReturnType<typeof createPages>
  keys: () => Promise<ShopKeys>
}

/** Routes of the shop's pages. */
export function addPageRoutes(app: FastifyInstance, { page, keys }: PageRouteParts): void {
  const show = (reply: FastifyReply, html: string) => reply.type('text/html; charset=utf-8').send(html)

  app.get('/', async (_, reply) =>
    show(
      reply,
      await page('product', 'The Dusk lamp', {
        price: inDollars(LAMP.price),
        price_cents: String(LAMP.price),
        max: String(MAX_QUANTITY),
      }),
    ),
  )

  app.get('/checkout', async (request, reply) => {
    const { item: id, quantity } = v.parse(CheckoutQuery, request.query)
    const item = itemOf(id)
    if (!item) {
      reply.callNotFound()
      return reply
    }
    const { service_url, public_key, gateway_id } = await keys()
    const values = {
      checkout: randomUUID(),
      item: item.id,
      name: item.name,
      quantity: String(quantity),
      unit: inDollars(item.price),
      total: inDollars(item.price * quantity),
      service_url,
      public_key,
      gateway_id,
    }
    return show(reply, await page('checkout', 'Checkout', values))
  })

  app.get('/playground', async (_, reply) => {
    const { service_url, public_key, gateway_id } = await keys()
    return show(reply, await page('playground', 'Playground', { service_url, public_key, gateway_id }))
  })
  app.get('/orders/:reference', async (_, reply) => show(reply, await page('order', 'Your order')))
  app.get('/back-office', async (_, reply) => show(reply, await page('back-office', 'Back office')))
  app.get('/subscribe', async (request, reply) => {
    const { pay_id } = v.parse(SubscribeQuery, request.query)
    const values = { page: randomUUID(), price: inDollars(SUBSCRIPTION_PRICE), pay_id }
    return show(reply, await page('subscribe', 'Lamp of the month', values))
  })
  app.get('/subscriptions/:id', async (_, reply) =>
    show(reply, await page('subscription', 'Your subscription')),
  )
  app.get('/back-office/subscriptions', async (_, reply) =>
    show(reply, await page('back-office-subscriptions', 'Subscriptions')),
  )
  app.get('/test-payers', async (_, reply) => show(reply, await page('test-payers', 'Test payers')))
  app.get('/test-cards', async (_, reply) => show(reply, await page('test-cards', 'Test cards')))
}
