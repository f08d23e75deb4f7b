import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AgreementRequest, AmendmentRequest } from '../../../contract/api/agreements/agreement-request.ts'
import { StatusRequest } from '../../../contract/api/agreements/agreement-status-request.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import type { Authorize } from '../../platform/http/callers/access-token.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { decode, decodeBody } from '../../platform/http/requests/decode.ts'
import type { AnswerIdempotently } from '../../platform/idempotency.ts'
import { pageOf, toFilter } from '../../platform/listing/page-query.ts'
import { AgreementParams, agreementOperations } from './agreement-operations.ts'
import { toAgreementResource, toValidationResource } from './agreement-resource.ts'
import type { Agreement } from './agreement.ts'
import type { Agreements } from './agreements.ts'
import { entityTagOf } from './entity-tag.ts'
import { ListQuery } from './list-query.ts'

interface Parts {
  agreements: Agreements
  authorize: Authorize
  answerIdempotently: AnswerIdempotently
}

const config = (operation: Operation, resourceType = 'agreement') => ({ config: { resourceType, operation } })

/** The routes of agreements but for their payments (contract §6.2). */
export function addAgreementRoutes(app: FastifyInstance, parts: Parts): void {
  addReadingRoutes(app, parts)
  addMakingRoutes(app, parts)
  addChangingRoutes(app, parts)
}

function addReadingRoutes(app: FastifyInstance, { agreements, authorize }: Parts): void {
  app.get('/agreements/:id', config(agreementOperations.get), async (request, reply) => {
    const { merchantId } = await authorize(request, 'agreements:read')
    const { id } = decode(AgreementParams, request.params)
    const { agreement, history } = await agreements.get(merchantId, id)
    void reply.header('etag', entityTagOf(agreement))
    return answer(reply, 200, 'agreement', toAgreementResource(agreement, history))
  })

  app.get('/agreements', config(agreementOperations.list), async (request, reply) => {
    const { merchantId } = await authorize(request, 'agreements:read')
    const query = decode(ListQuery, request.query)
    const { type = null } = query
    const { shown, next } = await pageOf(toFilter(query), (page) =>
      agreements.list(merchantId, { ...page, type }),
    )
    return answer(
      reply,
      200,
      'agreement',
      shown.map((agreement) => toAgreementResource(agreement)),
      next,
    )
  })
}

function addMakingRoutes(app: FastifyInstance, { agreements, authorize, answerIdempotently }: Parts): void {
  app.post('/agreements', config(agreementOperations.create), async (request, reply) => {
    const { merchantId } = await authorize(request, 'agreements:write')
    const body = decodeBody(AgreementRequest, request.body)
    return answerIdempotently({ request, reply, merchantId }, async () =>
      changed(201, await agreements.create(merchantId, body)),
    )
  })

  const ofValidation = config(agreementOperations.validate, 'agreement_validation')
  app.post('/agreements/validate', ofValidation, async (request, reply) => {
    const { merchantId } = await authorize(request, 'agreements:write')
    const body = decodeBody(AgreementRequest, request.body)
    return answerIdempotently({ request, reply, merchantId }, async () => {
      const data = toValidationResource(await agreements.validate(merchantId, body))
      return { status: 200, type: 'agreement_validation', data }
    })
  })
}

function addChangingRoutes(app: FastifyInstance, { agreements, authorize, answerIdempotently }: Parts): void {
  const changeOnce = async (
    request: FastifyRequest,
    reply: FastifyReply,
    change: (which: Parameters<Agreements['amend']>[0]) => Promise<Agreement>,
  ) => {
    const { merchantId } = await authorize(request, 'agreements:write')
    const { id } = decode(AgreementParams, request.params)
    const which = { merchantId, id, ifMatch: request.headers['if-match'] }
    return answerIdempotently({ request, reply, merchantId }, async () => changed(200, await change(which)))
  }

  app.patch('/agreements/:id', config(agreementOperations.amend), (request, reply) =>
    changeOnce(request, reply, (which) =>
      agreements.amend(which, decodeBody(AmendmentRequest, request.body)),
    ),
  )

  app.patch('/agreements/:id/status', config(agreementOperations.changeStatus), (request, reply) =>
    changeOnce(request, reply, (which) =>
      agreements.changeStatus(which, decodeBody(StatusRequest, request.body)),
    ),
  )
}

function changed(status: 200 | 201, agreement: Agreement) {
  return { status, type: 'agreement', data: toAgreementResource(agreement), etag: entityTagOf(agreement) }
}
