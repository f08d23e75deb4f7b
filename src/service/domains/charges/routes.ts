import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import {
  CaptureRequest,
  ChargeQuery,
  ChargeRequest,
  RefundRequest,
  WordsChange,
} from '../../../contract/api/charges/charge-request.ts'
import { CHARGE_STATUSES } from '../../../contract/api/charges/charge-resource.ts'
import type { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'
import { DECLINE_CODES } from '../../../contract/api/decline-codes.ts'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import { MetadataFilter } from '../../../contract/api/fields/metadata.ts'
import type { MerchantAccess } from '../../platform/domain.ts'
import { ServiceError } from '../../platform/errors.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import { keyIn } from '../../platform/http/callers/authenticate.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { decode, decodeBody } from '../../platform/http/requests/decode.ts'
import { idempotentRequestOf } from '../../platform/idempotency.ts'
import { pageEntries, toFilter } from '../../platform/listing/page-query.ts'
import type { AttemptResult } from './settle.ts'
import { chargeResource, entityTagOf, toChargeResource } from './charge-resource.ts'
import { findCharge } from './charge-store.ts'
import { actorOf } from './charge.ts'
import { authorise, cancel, capture, editCharge, ownCharge, refund } from './charges.ts'
import type { Caller, ChargesDeps } from './charges.ts'
import { oncePerRequest } from './idempotency.ts'
import type { IdempotencyDeps } from './idempotency.ts'
import { outcomeUnknown, attemptRefusalOf, toServiceError } from './refusal.ts'
import { listCharges } from './search.ts'

type RouteDeps = ChargesDeps & IdempotencyDeps
type Authenticate = MerchantAccess['authenticate']

export const ChargeParams = v.object({ id: Identifier })

/** The merchants' routes of charges (contract §4). */
export function addChargeRoutes(
  app: FastifyInstance,
  deps: RouteDeps,
  { authenticate, answerIdempotently }: MerchantAccess,
): void {
  addReadingRoutes(app, deps, authenticate)
  addMovingRoutes(app, deps, authenticate)

  app.patch('/v1/charges/:id', configOf(operations.edit), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(ChargeParams, request.params)
    const change = decodeBody(WordsChange, request.body)
    const actor = actorOf({ reason: null, userId: merchant.userId ?? null })
    const which = { merchantId: merchant.id, id, actor, ifMatch: request.headers['if-match'] }
    return answerIdempotently({ request, reply, merchantId: merchant.id }, async () => {
      const charge = await editCharge(deps, which, change)
      return { status: 200, type: 'charge', data: toChargeResource(charge), etag: entityTagOf(charge) }
    })
  })
}

function addReadingRoutes(app: FastifyInstance, deps: RouteDeps, authenticate: Authenticate): void {
  app.get('/v1/charges/:id', configOf(operations.get), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(ChargeParams, request.params)
    const charge = ownCharge(merchant.id, await findCharge(deps.database, id))
    void reply.header('etag', entityTagOf(charge))
    return answer(reply, 200, 'charge', toChargeResource(charge))
  })

  app.get('/v1/charges', configOf(operations.list), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const query = decode(ListQuery, withMetadata(request.query))
    const { shown, next } = await listCharges(deps.database, merchant.id, toFilter(query), query.metadata)
    return answer(reply, 200, 'charge', shown.map(toChargeResource), next)
  })
}

function addMovingRoutes(app: FastifyInstance, deps: RouteDeps, authenticate: Authenticate): void {
  app.post('/v1/charges', configOf(operations.authorise), async (request, reply) => {
    const { caller, body, isCaptured, foundToken } = await withCaller(authenticate, request, () =>
      readChargeRequest(deps, request),
    )
    return move(deps, reply, 201, caller, () => authorise(deps, caller, body, isCaptured, { foundToken }))
  })

  app.post('/v1/charges/:id/capture', configOf(operations.capture), async (request, reply) => {
    const { caller, charge } = await withCaller(authenticate, request, () => readCharge(deps, request))
    const { amount } = decodeBody(CaptureRequest, bodyOf(request))
    return move(deps, reply, 201, caller, () => capture(deps, caller, charge, amount))
  })

  app.delete('/v1/charges/:id/capture', configOf(operations.cancel), async (request, reply) => {
    const { caller, charge } = await withCaller(authenticate, request, () => readCharge(deps, request))
    return move(deps, reply, 200, caller, () => cancel(deps, caller, charge))
  })

  app.post('/v1/charges/:id/refunds', configOf(operations.refund), async (request, reply) => {
    const { caller, charge } = await withCaller(authenticate, request, () => readCharge(deps, request))
    const body = decodeBody(RefundRequest, bodyOf(request))
    return move(deps, reply, 201, caller, () => refund(deps, caller, charge, body))
  })
}

const configOf = (operation: Operation) => ({ config: { resourceType: 'charge', operation } })

/**
 * Reads what a request is about while its key is checked: one round trip to the database. A wrong key is answered before anything that was
 * read. A request without a key reads nothing.
 */
async function withCaller<Subject>(
  authenticate: Authenticate,
  request: FastifyRequest,
  read: () => Promise<Subject>,
): Promise<Subject & { caller: Caller }> {
  if (keyIn(request, 'secret') === null) {
    const caller = await callerOf(authenticate, request)
    return { ...(await read()), caller }
  }
  const reading = read()
  reading.catch(() => undefined)
  const caller = await callerOf(authenticate, request)
  return { ...(await reading), caller }
}

async function callerOf(authenticate: Authenticate, request: FastifyRequest): Promise<Caller> {
  const merchant = await authenticate(request, 'secret')
  return {
    merchant,
    userId: merchant.userId ?? null,
    sourceIp: request.sender.address,
    idempotentRequest: idempotentRequestOf(request, merchant.id),
  }
}

async function readChargeRequest({ findToken }: ChargesDeps, request: FastifyRequest) {
  const query = decode(ChargeQuery, request.query)
  const body = decodeBody(ChargeRequest, request.body, ['token'])
  const isCaptured = isCapturedAtOnce(query.capture, body.capture)
  return { body, isCaptured, foundToken: await findToken(body.token) }
}

/** Throws `validation_error` if the query and the body differ. */
function isCapturedAtOnce(inQuery: boolean | undefined, inBody: boolean | undefined): boolean {
  if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody) {
    const details = [{ path: 'capture', message: 'is one thing in the query and another in the body' }]
    throw new ServiceError('validation_error', 'Send capture once.', { details })
  }
  return inQuery ?? inBody ?? true
}

async function readCharge({ database }: ChargesDeps, { params }: FastifyRequest) {
  return { charge: await findCharge(database, decode(ChargeParams, params).id) }
}

/** No body means the whole amount; `null` is a body, and a wrong one. */
function bodyOf({ body }: FastifyRequest): unknown {
  return body === undefined ? {} : body
}

async function move(
  deps: RouteDeps,
  reply: FastifyReply,
  status: number,
  caller: Caller,
  perform: () => Promise<AttemptResult>,
) {
  const { result, isReplay } = await oncePerRequest(deps, caller.idempotentRequest, perform)
  if (isReplay) void reply.header('idempotent-replayed', 'true')
  return answer(reply, status, 'charge', resourceOf(result))
}

/** The charge after an attempt that succeeded; throws the answer to one that failed. */
function resourceOf({ charge, attempt, accessToken = null }: AttemptResult): ChargeResource {
  const resource = toChargeResource(charge)
  if (charge.status === 'pre_authentication_pending' && resource._3ds !== undefined)
    return {
      ...resource,
      _3ds: { ...resource._3ds, ...(accessToken !== null && { token: accessToken }) },
    }
  if (attempt.outcome === 'open') throw outcomeUnknown(attempt.type, resource)
  const refusal = attemptRefusalOf(attempt)
  if (refusal !== null) throw toServiceError(refusal, resource)
  return resource
}

/** Query of `GET /v1/charges` (contract §4). Strict: a misspelt filter would list too much. */
const ListQuery = v.strictObject({
  status: v.optional(v.picklist(CHARGE_STATUSES, `must be one of ${CHARGE_STATUSES.join(', ')}`)),
  ...pageEntries,
  metadata: v.optional(MetadataFilter),
})

/** A query whose `metadata[order_id]=A1` stands under `metadata`, as `order_id: A1`. */
function withMetadata(query: unknown): object {
  const given: [string, unknown][] = Object.entries(typeof query === 'object' && query !== null ? query : {})
  const nameIn = (name: string) => /^metadata\[(.*)\]$/s.exec(name)?.[1]
  const texts = given.flatMap(([name, value]) => {
    const own = nameIn(name)
    return own === undefined ? [] : [[own, value] as const]
  })
  const others = Object.fromEntries(given.filter(([name]) => nameIn(name) === undefined))
  return texts.length === 0 ? others : { ...others, metadata: Object.fromEntries(texts) }
}

const oneCharge = {
  group: 'Charges',
  key: 'secret',
  params: { schema: ChargeParams, words: { id: 'The `_id` of a charge.' } },
} as const

const followUp = { ...oneCharge, isRepeatable: true, refusalShows: chargeResource } as const
const fromGateway = [...DECLINE_CODES, 'gateway_unavailable', 'outcome_unknown'] as const
const wrongState = ['not_found', 'unfulfilled_condition', 'request_in_progress'] as const
const answered = (status: number, words: string) => [{ status, words, resource: chargeResource }]

/** The routes as the OpenAPI document describes them. */
const operations = {
  authorise: {
    id: 'createCharge',
    group: 'Charges',
    summary: 'Charge a card, or hold its funds',
    description:
      'Takes the money at once, or with `capture=false` holds it until it is captured or cancelled. Holding is a feature (Pre-Auth) that the operator turns on.',
    key: 'secret',
    query: {
      schema: ChargeQuery,
      words: { capture: '`false` holds the funds; `true`, or nothing, takes them.' },
      example: { capture: 'false' },
    },
    body: {
      schema: ChargeRequest,
      words: {
        token: "The widget's `payment_source`, or the answer to a tokenise request. Good for one charge.",
        reference: 'Yours: an order number, for example.',
      },
      example: { amount: '10.00', currency: 'AUD', token: '$TOKEN', reference: 'order-1' },
    },
    isRepeatable: true,
    answers: answered(201, 'The charge: `complete`, or `pending` while funds are held.'),
    errors: [
      'token_not_found',
      'gateway_not_found',
      'feature_not_enabled',
      'authorisation_expired',
      ...fromGateway,
    ],
    refusalShows: chargeResource,
  },
  capture: {
    ...followUp,
    id: 'captureCharge',
    summary: 'Take held funds',
    description: 'All of them, or a part: the rest is released.',
    body: { schema: CaptureRequest, isOptional: true, example: { amount: '7.50' } },
    answers: answered(201, 'The charge, `complete`.'),
    errors: [...wrongState, 'amount_exceeds_authorised', 'authorisation_expired', ...fromGateway],
  },
  cancel: {
    ...followUp,
    id: 'cancelCharge',
    summary: 'Release held funds',
    answers: answered(200, 'The charge, `cancelled`.'),
    errors: [...wrongState, 'authorisation_expired', ...fromGateway],
  },
  refund: {
    ...followUp,
    id: 'refundCharge',
    summary: 'Give money back',
    description: 'All that is left of what was captured, or a part; as often as there is something left.',
    body: {
      schema: RefundRequest,
      isOptional: true,
      example: { amount: '2.50', reference: 'return-1' },
    },
    answers: answered(201, 'The charge; `refunded` once all of it went back.'),
    errors: [...wrongState, 'amount_exceeds_captured', 'authorisation_expired', ...fromGateway],
  },
  get: {
    ...oneCharge,
    id: 'getCharge',
    summary: 'Read a charge',
    isTagged: true,
    answers: answered(200, 'The charge as it stands.'),
    errors: ['not_found'],
  },
  edit: {
    ...oneCharge,
    id: 'updateCharge',
    summary: 'Change your words on a charge',
    description:
      'Its reference, description and metadata, whatever its status; no money moves. What is left out stays as it is. Webhooks are told of it (`charge.updated`).',
    body: { schema: WordsChange, example: { metadata: { order_id: 'A1', basket: null } } },
    isRepeatable: true,
    isTagged: true,
    answers: answered(200, 'The charge with its new words.'),
    errors: ['not_found', 'unfulfilled_condition', 'request_in_progress', 'precondition_failed'],
  },
  list: {
    id: 'listCharges',
    group: 'Charges',
    summary: 'List charges',
    description:
      'Newest first. `resource.next` is the `cursor` of the next page, null on the last. With `metadata` and another filter, or several texts, a page may be short and still have a `next`.',
    key: 'secret',
    query: {
      schema: ListQuery,
      words: {
        'created_at.from': 'From this time on: `2026-11-21T10:00:00.000Z`.',
        'created_at.to': 'Before this time.',
        limit: '1 to 100.',
        skip: '0 to 10000; `cursor` goes further.',
        cursor: 'The `next` of an earlier page.',
      },
    },
    answers: [{ status: 200, words: 'A page of charges.', resource: chargeResource, isPage: true }],
  },
} satisfies Record<string, Operation>
