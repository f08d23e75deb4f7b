import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { WordsChange } from '../../../contract/api/charges/charge-request.ts'
import { CheckoutRequest } from '../../../contract/api/checkouts/checkout-request.ts'
import {
  CHECKOUT_STATUSES,
  CheckoutResource,
  CheckoutVersion,
  CheckoutWithJourney,
} from '../../../contract/api/checkouts/checkout-resource.ts'
import { WORKFLOW_VERSIONS } from '../../../contract/api/checkouts/workflow-versions.ts'
import type { WorkflowVersion } from '../../../contract/api/checkouts/workflow-versions.ts'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import type { MerchantAccess } from '../../platform/domain.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import type { DescribedResource, Operation } from '../../platform/http/operation.ts'
import { decode, decodeBody } from '../../platform/http/requests/decode.ts'
import { idempotentRequestOf } from '../../platform/idempotency.ts'
import { pageEntries, pageOf, toFilter } from '../../platform/listing/page-query.ts'
import { toCheckoutResource, toCheckoutWithJourney, toListedCheckout } from './checkout-resource.ts'
import type { CheckoutsDeps } from './deps.ts'
import { listIntents } from './intent-list.ts'
import { cancelIntent, createIntent, editIntent, getIntent } from './intents.ts'

/** The routes by which a merchant's server makes and reads intents (contract §5). */
export function addIntentRoutes(
  app: FastifyInstance,
  deps: CheckoutsDeps,
  { authenticate, answerIdempotently }: MerchantAccess,
): void {
  app.post('/v1/checkouts/intent', config(intentOperations.create), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const body = decodeBody(CheckoutRequest, request.body)
    const { intent, isReplay } = await createIntent(
      deps,
      merchant,
      body,
      idempotentRequestOf(request, merchant.id),
    )
    if (isReplay) void reply.header('idempotent-replayed', 'true')
    return answer(reply, 201, 'checkout', await toCheckoutResource(deps, intent))
  })

  app.get('/v1/checkouts/:id', config(intentOperations.get), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(IntentParams, request.params)
    const checkout = await toCheckoutWithJourney(deps, await getIntent(deps, merchant.id, id))
    return answer(
      reply,
      200,
      'checkout',
      merchant.readsOnly === true ? { ...checkout, token: null } : checkout,
    )
  })

  app.get('/v1/checkouts', config(intentOperations.list), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const filter = toFilter(decode(ListQuery, request.query))
    const { shown, next } = await pageOf(filter, (page) => listIntents(deps.database, merchant.id, page))
    const listed = shown.map((intent) => toListedCheckout(deps, intent))
    return answer(reply, 200, 'checkout', listed, next)
  })

  addChangingRoutes(app, deps, { authenticate, answerIdempotently })
  addVersionRoute(app, deps, authenticate)
}

function addChangingRoutes(
  app: FastifyInstance,
  deps: CheckoutsDeps,
  { authenticate, answerIdempotently }: Pick<MerchantAccess, 'authenticate' | 'answerIdempotently'>,
): void {
  app.patch('/v1/checkouts/:id', config(intentOperations.edit), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(IntentParams, request.params)
    const change = decodeBody(WordsChange, request.body)
    return answerIdempotently({ request, reply, merchantId: merchant.id }, async () => {
      const edited = await editIntent(deps, merchant.id, id, change)
      return { status: 200, type: 'checkout', data: await toCheckoutWithJourney(deps, edited) }
    })
  })

  app.delete('/v1/checkouts/:id', config(intentOperations.cancel), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(IntentParams, request.params)
    return answerIdempotently({ request, reply, merchantId: merchant.id }, async () => {
      const cancelled = await cancelIntent(deps, merchant.id, id)
      return { status: 200, type: 'checkout', data: await toCheckoutWithJourney(deps, cancelled) }
    })
  })
}

const config = (operation: Operation) => ({ config: { resourceType: 'checkout', operation } })

function addVersionRoute(
  app: FastifyInstance,
  { recommendedRelease }: CheckoutsDeps,
  authenticate: MerchantAccess['authenticate'],
): void {
  app.get(
    '/v1/checkouts/versions',
    { config: { resourceType: 'checkout_version', operation: intentOperations.versions } },
    async (request, reply) => {
      await authenticate(request, 'secret')
      return answer(reply, 200, 'checkout_version', WORKFLOW_VERSIONS.map(toVersion), null)
    },
  )

  function toVersion({ version, is_retired }: WorkflowVersion): CheckoutVersion {
    const release = recommendedRelease(version)
    return {
      version,
      is_retired,
      recommended_sdk_version_url: release?.url ?? null,
      recommended_sdk_version_integrity: release?.integrity ?? null,
    }
  }
}

/** Query of `GET /v1/checkouts`. Strict: a misspelt filter would list what was not asked for. */
const ListQuery = v.strictObject({
  status: v.optional(v.picklist(CHECKOUT_STATUSES, 'must be active, completed, expired or cancelled')),
  ...pageEntries,
})

const IntentParams = v.object({ id: Identifier })

const ID = '6b01799184f819f4cecbe1a7'
const sdk = {
  recommended_sdk_version_url: 'https://pay.example.com/sdk/v1.0.0/widget.umd.min.js',
  recommended_sdk_version_integrity: 'sha384-…',
}
const example = {
  _id: ID,
  version: 1,
  status: 'active',
  amount: 10,
  currency: 'AUD',
  reference: 'order-1',
  description: null,
  statement_descriptor: null,
  metadata: { order_id: 'A1' },
  return_url: 'https://shop.example/basket',
  created_at: '2026-11-21T10:00:00.000Z',
  updated_at: '2026-11-21T10:00:00.000Z',
  token: 'eyJhbGciOiJIUzI1NiJ9.…',
  ...sdk,
}
const words = {
  status: 'active: can be paid; completed: its charge was made; expired: 16 minutes are over; cancelled.',
  return_url: 'The page of your shop to which the checkout leads back who can’t pay it; null without one.',
  token:
    'For the page: a JWT of 16 minutes. Null once the checkout has ended or has no tries left, and in lists.',
  recommended_sdk_version_url: 'The SDK that the page loads; null when no release serves the version.',
  recommended_sdk_version_integrity: 'For the `integrity` of its script element.',
  recommended_sdk_frame_html:
    'The iframe of this checkout, for a page that your server renders: it loads beside the SDK, which adopts it. Null where `token` is.',
}

const checkout: DescribedResource = { name: 'Checkout', schema: CheckoutResource, words, example }
const withJourney: DescribedResource = {
  name: 'CheckoutWithJourney',
  schema: CheckoutWithJourney,
  words: { ...words, charge_id: 'The charge that paid it.', journey: 'What happened, in order.' },
  example: {
    ...example,
    expires_at: '2026-11-21T10:16:00.000Z',
    charge_id: null,
    journey: [{ step: 'created', at: '2026-11-21T10:00:00.000Z' }],
  },
}
const version: DescribedResource = {
  name: 'CheckoutVersion',
  schema: CheckoutVersion,
  words: { is_retired: 'It works as ever; no new integration should ask for it.' },
  example: { version: 1, is_retired: false, ...sdk },
}

const group = 'Checkouts'
const one = {
  group,
  key: 'secret',
  params: { schema: IntentParams, words: { id: 'The `_id` of a checkout.' } },
} as const

/** The merchant's routes of checkouts as the OpenAPI document shows them (contract §5). */
const intentOperations = {
  create: {
    id: 'createCheckout',
    group,
    key: 'secret',
    summary: 'Make a checkout',
    description: 'For one payment. The page gets its token, and loads exactly the SDK that the answer names.',
    body: {
      schema: CheckoutRequest,
      words: {
        version: 'The workflow version, an integer; see GET /v1/checkouts/versions.',
        configuration: 'A template of which cards, fields and gateway, and when the money is taken.',
        customisation: 'A template of looks and words.',
        return_url:
          'The page of your shop, such as the basket: who can’t pay here gets a button that leads back to it. https, or http on localhost; up to 2,000 characters.',
        customer: 'Fills the fields of the form that are of the same name, and the charge.',
      },
      example: { version: 1, amount: '10.00', reference: 'order-1' },
    },
    isRepeatable: true,
    answers: [{ status: 201, words: 'The checkout, `active`.', resource: checkout }],
    errors: ['unknown_workflow_version', 'template_not_found', 'feature_not_enabled'],
  },
  get: {
    ...one,
    id: 'getCheckout',
    summary: 'Read a checkout, with what happened to it',
    answers: [{ status: 200, words: 'The checkout as it stands.', resource: withJourney }],
    errors: ['not_found'],
  },
  edit: {
    ...one,
    id: 'updateCheckout',
    isRepeatable: true,
    summary: 'Change your words on a checkout',
    description:
      'Its reference, description and metadata, while it is active and nobody is paying it; its charge gets them as they are then. What is left out stays as it is.',
    body: {
      schema: WordsChange,
      example: { metadata: { order_id: 'A1', basket: null } },
    },
    answers: [{ status: 200, words: 'The checkout as it is now.', resource: withJourney }],
    errors: ['not_found', 'unfulfilled_condition', 'request_in_progress'],
  },
  cancel: {
    ...one,
    id: 'cancelCheckout',
    isRepeatable: true,
    summary: 'Cancel a checkout that is not paid',
    answers: [{ status: 200, words: 'The checkout, `cancelled`.', resource: withJourney }],
    errors: ['not_found', 'unfulfilled_condition', 'request_in_progress'],
  },
  list: {
    id: 'listCheckouts',
    group,
    key: 'secret',
    summary: 'List checkouts',
    description:
      'Newest first, without tokens. `resource.next` is the `cursor` of the next page, null on the last.',
    query: { schema: ListQuery },
    answers: [{ status: 200, words: 'A page of checkouts.', resource: checkout, isPage: true }],
  },
  versions: {
    id: 'listCheckoutVersions',
    group,
    key: 'secret',
    summary: 'List the workflow versions and the SDK of each',
    answers: [{ status: 200, words: 'Every version.', resource: version, isPage: true }],
  },
} as const satisfies Record<string, Operation>
