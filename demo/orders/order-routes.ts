import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { itemOf } from './catalogue.ts'
import { inDollars } from './money.ts'
import type { OrderBook } from './order-book.ts'
import { Quantity } from './checkout-query.ts'
import { requireSameOrigin } from '../pages/request-origin.ts'

/** What the checkout page sends. It has no amount: the server sets the price. */
const OrderRequest = v.object({
  checkout: v.pipe(v.string(), v.uuid()),
  item: v.string(),
  quantity: Quantity,
  payment_source: v.pipe(v.string(), v.uuid()),
})
/** What the checkout page sends once the shopper's bank has its answer. */
const Answered = v.object({ checkout: v.pipe(v.string(), v.uuid()) })
/** What a checkout's page sends after the payment. The card service is asked before it is believed. */
const PaidCheckout = v.object({ intent_id: v.string() })
const Params = v.object({ reference: v.string() })

/** Routes for the shopper's pages. */
export function addOrderRoutes(app: FastifyInstance, orders: OrderBook): void {
  app.post('/api/orders', { preHandler: requireSameOrigin }, async (request, reply) => {
    const parsed = v.safeParse(OrderRequest, request.body)
    const item = parsed.success ? itemOf(parsed.output.item) : undefined
    if (!parsed.success || !item)
      return reply.code(400).send({ message: 'This order cannot be read. Nothing was charged.' })
    const { checkout, quantity, payment_source: token } = parsed.output
    return orders.place({ checkout, item, quantity, token })
  })

  app.post('/api/orders/answered', { preHandler: requireSameOrigin }, async (request) => {
    return orders.answered(v.parse(Answered, request.body).checkout)
  })

  app.post('/api/checkouts/paid', { preHandler: requireSameOrigin }, async (request) => {
    return orders.confirm(v.parse(PaidCheckout, request.body).intent_id)
  })

  app.get('/api/orders/:reference', async (request, reply) => {
    const order = await orders.find(v.parse(Params, request.params).reference)
    if (!order) return reply.code(404).send({ message: 'There is no order of this number.' })
    const { reference, item, quantity, total, status, card } = order
    return { reference, item, quantity, total: inDollars(total), status, card }
  })
}
