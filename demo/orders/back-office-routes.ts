import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { CardService } from '../card-service/card-service.ts'
import { toChargeRow } from '../card-service/charge.ts'
import { requireSameOrigin } from '../pages/request-origin.ts'

const Params = v.object({ id: v.pipe(v.string(), v.regex(/^[0-9a-f]{24}$/)) })
/** The amount is required: an empty field must not capture everything. */
const Capture = v.object({ amount: v.string() })
/** The page makes the key and keeps it until it knows the outcome. */
const Refund = v.object({ amount: v.string(), key: v.pipe(v.string(), v.uuid()) })
const List = v.object({ cursor: v.optional(v.string()), status: v.optional(v.string()) })

/** Routes for the back office page. A real shop requires its staff to sign in. */
export function addBackOfficeRoutes(app: FastifyInstance, cards: CardService): void {
  app.get('/api/charges', async (request) => {
    const { cursor, status } = v.parse(List, request.query)
    const { data, next } = await cards.list({
      limit: '25',
      ...(cursor && { cursor }),
      ...(status && { status }),
    })
    return { charges: data.map(toChargeRow), next }
  })

  app.post('/api/charges/:id/capture', { preHandler: requireSameOrigin }, async (request) => {
    const { id } = v.parse(Params, request.params)
    const { amount } = v.parse(Capture, request.body)
    return toChargeRow(await cards.capture(id, amount))
  })

  app.post('/api/charges/:id/cancel', { preHandler: requireSameOrigin }, async (request) => {
    const { id } = v.parse(Params, request.params)
    return toChargeRow(await cards.cancel(id))
  })

  app.post('/api/charges/:id/refund', { preHandler: requireSameOrigin }, async (request) => {
    const { id } = v.parse(Params, request.params)
    return toChargeRow(await cards.refund(id, v.parse(Refund, request.body)))
  })
}
