import type { FastifyInstance } from 'fastify'
import { CheckoutRequest } from '../../../../contract/api/checkouts/checkout-request.ts'
import type { CheckoutVersion } from '../../../../contract/api/checkouts/checkout-resource.ts'
import type { WorkflowVersion } from '../../../../contract/api/checkouts/workflow-versions.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import type { Authenticate } from '../../../platform/http/callers/authenticate.ts'
import { decode, decodeBody } from '../../../platform/http/requests/decode.ts'
import type { Operation } from '../../../platform/http/operation.ts'
import { pageOf, toFilter } from '../../../platform/listing/page-query.ts'
import { idempotentRequestOf } from '../../../platform/idempotency.ts'
import type { AnswerIdempotently } from '../../../platform/idempotency.ts'
import type { CheckoutResources } from './checkout-resource.ts'
import { IntentParams, intentOperations } from './intent-operations.ts'
import type { Intents, Workflows } from './intents.ts'
import { ListQuery } from './list-query.ts'

interface Parts {
  intents: Intents
  resources: CheckoutResources
  workflows: Workflows
  authenticate: Authenticate<{ id: string; preAuth: boolean; readsOnly?: boolean }>
  answerIdempotently: AnswerIdempotently
}

/** What a merchant's server does with intents (contract §5). */
export function addIntentRoutes(
  app: FastifyInstance,
  { intents, resources, workflows, authenticate, answerIdempotently }: Parts,
): void {
  const config = (operation: Operation) => ({ config: { resourceType: 'checkout', operation } })

  app.post('/v1/checkouts/intent', config(intentOperations.create), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const body = decodeBody(CheckoutRequest, request.body)
    const { intent, isReplay } = await intents.create(
      merchant,
      body,
      idempotentRequestOf(request, merchant.id),
    )
    if (isReplay) void reply.header('idempotent-replayed', 'true')
    return answer(reply, 201, 'checkout', await resources.one(intent))
  })

  app.get('/v1/checkouts/:id', config(intentOperations.get), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(IntentParams, request.params)
    const checkout = await resources.withJourney(await intents.get(merchant.id, id))
    return answer(
      reply,
      200,
      'checkout',
      merchant.readsOnly === true ? { ...checkout, token: null } : checkout,
    )
  })

  app.delete('/v1/checkouts/:id', config(intentOperations.cancel), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(IntentParams, request.params)
    return answerIdempotently({ request, reply, merchantId: merchant.id }, async () => {
      const cancelled = await intents.cancel(merchant.id, id)
      return { status: 200, type: 'checkout', data: await resources.withJourney(cancelled) }
    })
  })

  app.get('/v1/checkouts', config(intentOperations.list), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const filter = toFilter(decode(ListQuery, request.query))
    const { shown, next } = await pageOf(filter, (page) => intents.list(merchant.id, page))
    return answer(reply, 200, 'checkout', shown.map(resources.listed), next)
  })

  addVersionRoute(app, workflows, authenticate)
}

function addVersionRoute(
  app: FastifyInstance,
  workflows: Workflows,
  authenticate: Parts['authenticate'],
): void {
  app.get(
    '/v1/checkouts/versions',
    { config: { resourceType: 'checkout_version', operation: intentOperations.versions } },
    async (request, reply) => {
      await authenticate(request, 'secret')
      return answer(reply, 200, 'checkout_version', workflows.known.map(toVersion), null)
    },
  )

  function toVersion({ version, is_retired }: WorkflowVersion): CheckoutVersion {
    const release = workflows.recommendedRelease(version)
    return {
      version,
      is_retired,
      recommended_sdk_version_url: release?.url ?? null,
      recommended_sdk_version_integrity: release?.integrity ?? null,
    }
  }
}
