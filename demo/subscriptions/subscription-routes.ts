import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { CardServiceFault } from '../card-service/card-service-fault.ts'
import { requireSameOrigin } from '../pages/request-origin.ts'
import { faultsOf, SubscriptionForm } from './subscription-form.ts'
import { ACTIONS } from './subscriptions.ts'
import type { Subscriptions } from './subscriptions.ts'

const Params = v.object({ id: v.pipe(v.string(), v.regex(/^[0-9a-f]{24}$/)) })
const List = v.object({ cursor: v.optional(v.string()) })
/** The idempotency key of one press of the button, so that pressing twice pays once. */
const Payment = v.object({ key: v.pipe(v.string(), v.uuid()) })
const Act = v.object({ action: v.picklist(ACTIONS) })

/** A price in dollars, as a person types it, to cents. */
const Price = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^\d{1,7}(\.\d{1,2})?$/),
  v.transform((dollars) => Math.round(Number(dollars) * 100)),
  v.minValue(1),
)

/** Routes for the pages of subscriptions, the subscriber's and the back office's. A real shop requires both to sign in. */
export function addSubscriptionRoutes(app: FastifyInstance, subscriptions: Subscriptions): void {
  const own = { preHandler: requireSameOrigin }

  app.post('/api/subscriptions', own, async (request, reply) => {
    const form = v.safeParse(SubscriptionForm, request.body)
    if (!form.success) return reply.code(422).send(refusalOf(faultsOf(form.issues)))
    try {
      return await reply.code(201).send({ id: await subscriptions.begin(form.output) })
    } catch (error) {
      const isUnknownPayer = error instanceof CardServiceFault && error.code === 'debtor_not_found'
      if (!isUnknownPayer) throw error
      return reply.code(422).send(refusalOf(unknownPayer(form.output)))
    }
  })

  app.get('/api/subscriptions', (request) => subscriptions.list(v.parse(List, request.query).cursor))
  app.get('/api/subscriptions/:id', (request) => subscriptions.look(v.parse(Params, request.params).id))

  app.post('/api/subscriptions/:id/payments', own, (request) =>
    subscriptions.pay(v.parse(Params, request.params).id, v.parse(Payment, request.body).key),
  )

  app.post('/api/subscriptions/:id/actions', own, (request) =>
    subscriptions.act(v.parse(Params, request.params).id, v.parse(Act, request.body).action),
  )

  app.post('/api/subscriptions/:id/price', own, async (request, reply) => {
    const { id } = v.parse(Params, request.params)
    const price = v.safeParse(v.object({ price: Price }), request.body)
    if (price.success) return subscriptions.askForPrice(id, price.output.price)
    return reply.code(422).send({ message: 'That is not a price. Write it like 27.50, above zero.' })
  })
}

/** The page shows each fault beside its field. */
function refusalOf(faults: Record<string, string>) {
  return { message: 'Nothing was asked of your bank yet. Please look at what is marked.', faults }
}

function unknownPayer({ pay_by: payBy }: SubscriptionForm): Record<string, string> {
  return payBy === 'pay_id'
    ? { pay_id: 'No bank knows this PayID. Check how it is written.' }
    : { account_number: 'No bank knows this account. Check the BSB and the number.' }
}
