import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { CaptureRequest, ChargeQuery, ChargeRequest, RefundRequest } from '../../contract/charge-request.ts'
import { Identifier } from '../../contract/identifier.ts'
import { answer } from '../http/answer.ts'
import type { Authenticate } from '../http/authenticate.ts'
import { decode } from '../http/decode.ts'
import type { Caller } from './caller.ts'
import type { Charges } from './charges.ts'
import { toChargeResource } from './charge-resource.ts'
import { placeOf, toCursor } from './cursor.ts'
import type { Movement } from './movements.ts'
import { outcomeUnknown, refusalOf, toServiceError } from './refusal.ts'

interface Parts {
  charges: Charges
  authenticate: Authenticate<Caller['merchant']>
}

const Params = v.object({ id: Identifier })
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

/** The routes of charges (contract §4). */
export function addChargeRoutes(app: FastifyInstance, { charges, authenticate }: Parts): void {
  const config = { resourceType: 'charge' }
  const callerOf = async (request: FastifyRequest): Promise<Caller> => ({
    merchant: await authenticate(request, 'secret'),
    // A socket that takes both protocols writes IPv4 addresses the long way.
    sourceIp: request.ip.replace(/^::ffff:/, ''),
  })

  app.post('/v1/charges', { config }, async (request, reply) => {
    const caller = await callerOf(request)
    const { capture } = decode(ChargeQuery, request.query)
    const movement = await charges.sell(caller, decode(ChargeRequest, request.body), capture)
    return answer(reply, 201, 'charge', outcomeOf(movement))
  })

  app.post('/v1/charges/:id/capture', { config }, async (request, reply) => {
    const caller = await callerOf(request)
    const { id } = decode(Params, request.params)
    const { amount } = decode(CaptureRequest, request.body ?? {})
    return answer(reply, 201, 'charge', outcomeOf(await charges.capture(caller, id, amount)))
  })

  app.delete('/v1/charges/:id/capture', { config }, async (request, reply) => {
    const caller = await callerOf(request)
    const { id } = decode(Params, request.params)
    return answer(reply, 200, 'charge', outcomeOf(await charges.cancel(caller, id)))
  })

  app.post('/v1/charges/:id/refunds', { config }, async (request, reply) => {
    const caller = await callerOf(request)
    const { id } = decode(Params, request.params)
    const wish = decode(RefundRequest, request.body ?? {})
    return answer(reply, 201, 'charge', outcomeOf(await charges.refund(caller, id, wish)))
  })

  app.get('/v1/charges/:id', { config }, async (request, reply) => {
    const { merchant } = await callerOf(request)
    const { id } = decode(Params, request.params)
    return answer(reply, 200, 'charge', toChargeResource(await charges.get(merchant.id, id)))
  })

  app.get('/v1/charges', { config }, async (request, reply) => {
    const { merchant } = await callerOf(request)
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

/** The charge after a movement that came about; throws the error that answers one that did not. */
function outcomeOf({ charge, attempt }: Movement): object {
  const resource = toChargeResource(charge)
  if (attempt.outcome === 'open') throw outcomeUnknown(resource)
  const refusal = refusalOf(attempt)
  if (refusal !== null) throw toServiceError(refusal, resource)
  return resource
}
