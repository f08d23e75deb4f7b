import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { answer } from '../http/answer.ts'
import type { Authenticate } from '../http/authenticate.ts'
import { decode } from '../http/decode.ts'
import { toChargeResource } from './charge-resource.ts'
import type { Charges } from './charges.ts'
import { placeOf, toCursor } from './cursor.ts'
import { ChargeParams } from './movement-routes.ts'

interface Parts {
  charges: Pick<Charges, 'get' | 'list'>
  authenticate: Authenticate<{ id: string }>
}

const ListQuery = v.object({
  limit: v.pipe(
    v.optional(v.string(), '25'),
    v.regex(/^\d{1,3}$/, 'limit must be 1 to 100'),
    v.transform(Number),
    v.minValue(1, 'limit must be 1 to 100'),
    v.maxValue(100, 'limit must be 1 to 100'),
  ),
  cursor: v.optional(
    v.pipe(
      v.string(),
      v.check((cursor) => placeOf(cursor) !== null, 'cursor must be the next of an earlier page'),
    ),
  ),
})

/** The routes that read charges (contract §4). */
export function addReadingRoutes(app: FastifyInstance, { charges, authenticate }: Parts): void {
  const config = { resourceType: 'charge' }

  app.get('/v1/charges/:id', { config }, async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(ChargeParams, request.params)
    return answer(reply, 200, 'charge', toChargeResource(await charges.get(merchant.id, id)))
  })

  app.get('/v1/charges', { config }, async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { limit, cursor } = decode(ListQuery, request.query)
    const page = await charges.list(merchant.id, { limit: limit + 1, after: placeOf(cursor ?? '') })
    const shown = page.slice(0, limit)
    const last = page.length > limit ? shown.at(-1) : undefined
    return answer(
      reply,
      200,
      'charge',
      shown.map(toChargeResource),
      last === undefined ? null : toCursor(last),
    )
  })
}
