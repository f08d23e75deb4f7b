import type { FastifyInstance } from 'fastify'
import { answer } from '../../platform/http/answers/answer.ts'
import type { Authenticate } from '../../platform/http/callers/authenticate.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { pageOf, toFilter } from '../../platform/listing/page-query.ts'
import { ChargeParams, chargeOperations, ListQuery } from './charge-operations.ts'
import { toChargeResource } from './charge-resource.ts'
import type { Charges } from './charges.ts'

interface Parts {
  charges: Pick<Charges, 'get' | 'list'>
  authenticate: Authenticate<{ id: string }>
}

/** The routes that read charges (contract §4). */
export function addReadingRoutes(app: FastifyInstance, { charges, authenticate }: Parts): void {
  const config = (operation: Operation) => ({ config: { resourceType: 'charge', operation } })

  app.get('/v1/charges/:id', config(chargeOperations.get), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(ChargeParams, request.params)
    return answer(reply, 200, 'charge', toChargeResource(await charges.get(merchant.id, id)))
  })

  app.get('/v1/charges', config(chargeOperations.list), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const filter = toFilter(decode(ListQuery, request.query))
    const { shown, next } = await pageOf(filter, (page) => charges.list(merchant.id, page))
    return answer(reply, 200, 'charge', shown.map(toChargeResource), next)
  })
}
