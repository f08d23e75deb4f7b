import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { DefendRequest, DocumentRequest } from '../../../contract/api/disputes/dispute-request.ts'
import {
  DefencesResource,
  DISPUTE_STATUSES,
  MAX_EVIDENCE_BYTES,
} from '../../../contract/api/disputes/dispute-resource.ts'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import type { Bulkhead } from '../../platform/concurrency/fairness.ts'
import type { MerchantAccess } from '../../platform/domain.ts'
import { ServiceError } from '../../platform/errors.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import { whenClosed } from '../../platform/http/answers/when-closed.ts'
import type { DescribedResource, Operation } from '../../platform/http/operation.ts'
import { decode, decodeBody } from '../../platform/http/requests/decode.ts'
import { pageEntries, pageOf, timeEntry, toFilter } from '../../platform/listing/page-query.ts'
import { disputeResource, toDisputeResource } from './dispute-resource.ts'
import { listDisputes, placeIn } from './dispute-store.ts'
import type { DisputeFilter } from './dispute-store.ts'
import type { Dispute } from './dispute.ts'
import {
  acceptDispute,
  addDocument,
  defendDispute,
  dropDocument,
  readDefences,
  readDispute,
  readDocument,
} from './disputes.ts'
import type { Answering, DisputesDeps } from './disputes.ts'

export interface DisputeRouteDeps extends DisputesDeps {
  /** Whether disputes at a type of gateway are answered here. */
  canAnswer: (gatewayType: string) => boolean
  /** Files of one merchant that are being added or read at once. */
  files: Bulkhead
}

const IdParams = v.object({ id: Identifier })
const DocumentParams = v.object({ id: Identifier, document_id: Identifier })

/** Query of `GET /v1/disputes`. Strict: a misspelt filter must not be ignored. */
const ListQuery = v.omit(
  v.strictObject({
    status: v.optional(
      v.picklist(DISPUTE_STATUSES, 'must be needs_response, under_review, won, lost or accepted'),
    ),
    charge_id: v.optional(Identifier),
    due_before: timeEntry,
    ...pageEntries,
  }),
  ['reference'],
)

/** The routes of disputes (contract §4.2). */
export function addDisputeRoutes(app: FastifyInstance, deps: DisputeRouteDeps, access: MerchantAccess): void {
  addReadingRoutes(app, deps, access)
  addDocumentRoutes(app, deps, access)
  addAnsweringRoutes(app, deps, access)
}

function addReadingRoutes(app: FastifyInstance, deps: DisputeRouteDeps, access: MerchantAccess): void {
  const { authenticate } = access

  app.get('/v1/disputes', configOf(operations.list), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const query = decode(ListQuery, request.query)
    const filter = {
      ...toFilter(query),
      chargeId: query.charge_id ?? null,
      dueBefore: query.due_before ?? null,
    }
    const list = (page: DisputeFilter) => listDisputes(deps.database, merchant.id, page)
    const { shown, next } = await pageOf(filter, list, placeIn(filter))
    return answer(
      reply,
      200,
      'dispute',
      shown.map((dispute) => resourceOf(deps, dispute)),
      next,
    )
  })

  app.get('/v1/disputes/:id', configOf(operations.get), async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(IdParams, request.params)
    return answer(reply, 200, 'dispute', resourceOf(deps, await readDispute(deps, merchant.id, id)))
  })

  app.get('/v1/disputes/:id/defences', ofDefences, async (request, reply) => {
    const merchant = await authenticate(request, 'secret')
    const { id } = decode(IdParams, request.params)
    const defences = await readDefences(deps, await readDispute(deps, merchant.id, id))
    return answer(reply, 200, 'dispute_defences', defences)
  })
}

/** Base64 of the largest file, and what stands around it. */
const BODY_LIMIT_BYTES = Math.ceil(MAX_EVIDENCE_BYTES / 3) * 4 + 4096

function addDocumentRoutes(app: FastifyInstance, deps: DisputeRouteDeps, access: MerchantAccess): void {
  const { authenticate, answerIdempotently } = access
  const preParsing = async (request: FastifyRequest, reply: FastifyReply) => {
    const { id } = await authenticate(request, 'secret')
    takePlace(deps.files, id, reply)
  }

  app.post(
    '/v1/disputes/:id/documents',
    { ...configOf(operations.addDocument), bodyLimit: BODY_LIMIT_BYTES, preParsing },
    async (request, reply) => {
      const { merchantId, ...who } = await answering(authenticate, request)
      const body = decodeBody(DocumentRequest, request.body, ['content'])
      return answerIdempotently({ request, reply, merchantId }, async () =>
        changed(deps, 201, await addDocument(deps, { merchantId, ...who }, body)),
      )
    },
  )

  app.delete(
    '/v1/disputes/:id/documents/:document_id',
    configOf(operations.removeDocument),
    async (request, reply) => {
      const who = await answering(authenticate, request)
      const { document_id: documentId } = decode(DocumentParams, request.params)
      return answerIdempotently({ request, reply, merchantId: who.merchantId }, async () =>
        changed(deps, 200, await dropDocument(deps, who, documentId)),
      )
    },
  )

  app.get(
    '/v1/disputes/:id/documents/:document_id',
    configOf(operations.getDocument),
    async (request, reply) => {
      const merchant = await authenticate(request, 'secret')
      const { id, document_id: documentId } = decode(DocumentParams, request.params)
      const dispute = await readDispute(deps, merchant.id, id)
      takePlace(deps.files, merchant.id, reply)
      const { name, content } = await readDocument(deps, dispute, documentId)
      // Whatever is in the file, no browser shows or runs it here.
      return reply
        .type('application/octet-stream')
        .header('content-disposition', `attachment; filename*=UTF-8''${inHeader(name)}`)
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .send(content)
    },
  )
}

/** A name as RFC 8187 writes it: "receipt (1).pdf" has marks that `encodeURIComponent` leaves, and that readers of headers stumble over. */
function inHeader(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Takes one of a merchant's places for files, until the request has ended; before its body is read, as that fills the memory. */
function takePlace(files: Bulkhead, merchantId: string, reply: FastifyReply): void {
  const leave = files.enter(merchantId)
  const words = 'Too many files of yours are under way at once. Send them one after the other.'
  if (leave === null) throw new ServiceError('rate_limited', words, { retryAfter: 1 })
  whenClosed(reply, leave)
}

function addAnsweringRoutes(
  app: FastifyInstance,
  deps: DisputeRouteDeps,
  { authenticate, answerIdempotently }: MerchantAccess,
): void {
  app.post('/v1/disputes/:id/accept', configOf(operations.accept), async (request, reply) => {
    const who = await answering(authenticate, request)
    return answerIdempotently({ request, reply, merchantId: who.merchantId }, async () =>
      changed(deps, 202, await acceptDispute(deps, who)),
    )
  })

  app.post('/v1/disputes/:id/defend', configOf(operations.defend), async (request, reply) => {
    const who = await answering(authenticate, request)
    const body = decodeBody(DefendRequest, request.body)
    return answerIdempotently({ request, reply, merchantId: who.merchantId }, async () =>
      changed(deps, 202, await defendDispute(deps, who, body)),
    )
  })
}

async function answering(
  authenticate: MerchantAccess['authenticate'],
  request: FastifyRequest,
): Promise<Answering> {
  const merchant = await authenticate(request, 'secret')
  const { id } = decode(IdParams, request.params)
  return { merchantId: merchant.id, userId: merchant.userId ?? null, disputeId: id }
}

function resourceOf(deps: DisputeRouteDeps, dispute: Dispute) {
  return toDisputeResource(dispute, deps.canAnswer(dispute.gatewayType))
}

function changed(deps: DisputeRouteDeps, status: number, dispute: Dispute) {
  return { status, type: 'dispute', data: resourceOf(deps, dispute) }
}

const configOf = (operation: Operation, resourceType = 'dispute') => ({
  config: { resourceType, operation },
})

const defencesResource: DescribedResource = {
  name: 'DisputeDefences',
  schema: DefencesResource,
  words: {
    defences: 'The ways to defend it, as the gateway offers them.',
    'defences.code': 'What `defend` names.',
    'defences.documents.requirement': 'one_or_more: at least one of those that are marked so.',
    'defences.is_ready': 'Whether it can be sent with the documents that were added.',
    content_types: 'The kinds of file that the gateway takes.',
    max_total_bytes: 'Of all files together.',
    takes_statement: 'Whether a `statement` may be sent with it.',
  },
  example: {
    defences: [
      {
        code: 'goods_or_services_provided',
        description: 'The goods were delivered, or the services rendered',
        documents: [
          {
            type: 'proof_of_delivery',
            description: 'Shows that it arrived',
            requirement: 'required',
            is_added: false,
          },
        ],
        is_ready: false,
      },
    ],
    content_types: ['application/pdf', 'image/jpeg', 'image/png'],
    max_total_bytes: 4_500_000,
    takes_statement: true,
  },
}

const oneDispute = {
  group: 'Disputes',
  key: 'secret',
  params: { schema: IdParams, words: { id: 'The `_id` of a dispute.' } },
} as const
const oneDocument = {
  ...oneDispute,
  params: {
    schema: DocumentParams,
    words: { id: 'The `_id` of a dispute.', document_id: 'The `_id` of one of its `documents`.' },
  },
} as const
const answered = (status: number, words: string) => [{ status, words, resource: disputeResource }]
const ANSWERED =
  'Its `answer` is `sending` until the gateway has confirmed it, mostly within seconds; a webhook tells. A dispute is answered once at each stage.'

/** The routes as the OpenAPI document describes them. */
const operations = {
  list: {
    group: 'Disputes',
    key: 'secret',
    id: 'listDisputes',
    summary: 'List disputes',
    description:
      'Newest first; where only those are asked for that need a response, by `status` or `due_before`, the nearest deadline first. `resource.next` is the `cursor` of the next page, null on the last.',
    query: {
      schema: ListQuery,
      words: {
        charge_id: 'Those of one charge.',
        due_before: 'Those that need a response before this time.',
      },
    },
    answers: [{ status: 200, words: 'A page of disputes.', resource: disputeResource, isPage: true }],
  },
  get: {
    ...oneDispute,
    id: 'getDispute',
    summary: 'Read a dispute, with its history',
    answers: answered(200, 'The dispute as it stands.'),
    errors: ['not_found'],
  },
  defences: {
    ...oneDispute,
    id: 'listDefences',
    summary: 'List the ways to defend a dispute',
    description: 'As the gateway offers them for its reason, each with the documents that it takes.',
    answers: [{ status: 200, words: 'The ways to defend it.', resource: defencesResource }],
    errors: ['not_found', 'unfulfilled_condition', 'gateway_unavailable'],
  },
  addDocument: {
    ...oneDispute,
    id: 'addDisputeDocument',
    summary: 'Add a document to a dispute',
    description:
      'In place of one of the same `type`. It is kept encrypted for 18 months, and sent to the gateway when the dispute is defended.',
    body: {
      schema: DocumentRequest,
      words: {
        type: 'One of the `documents` of a defence.',
        content: 'The file in base64, 2,000,000 bytes at most.',
      },
      example: {
        type: 'proof_of_delivery',
        name: 'delivery.pdf',
        content_type: 'application/pdf',
        content: 'JVBERi0xLjQKJSVFT0YK',
      },
    },
    isRepeatable: true,
    answers: answered(201, 'The dispute with its documents.'),
    errors: ['not_found', 'unfulfilled_condition', 'body_too_large', 'gateway_unavailable'],
  },
  removeDocument: {
    ...oneDocument,
    id: 'removeDisputeDocument',
    summary: 'Remove a document of a dispute',
    isRepeatable: true,
    answers: answered(200, 'The dispute without it.'),
    errors: ['not_found', 'unfulfilled_condition'],
  },
  getDocument: {
    ...oneDocument,
    id: 'getDisputeDocument',
    summary: 'Download a document of a dispute',
    answers: [{ status: 200, words: 'The file as it was added.', media: 'application/octet-stream' }],
    errors: ['not_found'],
  },
  accept: {
    ...oneDispute,
    id: 'acceptDispute',
    summary: 'Accept a dispute',
    description: `The card holder keeps the money. ${ANSWERED}`,
    isRepeatable: true,
    answers: answered(202, 'The dispute, with its answer on the way.'),
    errors: ['not_found', 'unfulfilled_condition', 'gateway_unavailable'],
  },
  defend: {
    ...oneDispute,
    id: 'defendDispute',
    summary: 'Defend a dispute',
    description: `Sends the documents that were added, and a statement where the gateway takes one. ${ANSWERED}`,
    body: {
      schema: DefendRequest,
      words: {
        defence: 'The `code` of one of its defences.',
        statement: 'What the issuer is told, where `takes_statement` says that the gateway takes words.',
        documents:
          'The ids of the documents that you mean to send. Where others would be sent, as somebody has changed them meanwhile, nothing is.',
      },
      example: { defence: 'goods_or_services_provided' },
    },
    isRepeatable: true,
    answers: answered(202, 'The dispute, with its answer on the way.'),
    errors: ['not_found', 'precondition_failed', 'unfulfilled_condition', 'gateway_unavailable'],
  },
} satisfies Record<string, Operation>

const ofDefences = configOf(operations.defences, 'dispute_defences')
