import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import {
  AgreementPaymentResource,
  PAYMENT_STATUSES,
} from '../../../contract/api/agreements/agreement-payment-resource.ts'
import {
  AGREEMENT_TYPES,
  AgreementPaymentRequest,
  AgreementRequest,
  AmendmentRequest,
} from '../../../contract/api/agreements/agreement-request.ts'
import {
  AGREEMENT_STATUSES,
  AgreementResource,
  AgreementValidationResource,
} from '../../../contract/api/agreements/agreement-resource.ts'
import { StatusRequest } from '../../../contract/api/agreements/agreement-status-request.ts'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import type { MerchantAccess } from '../../platform/domain.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import type { DescribedResource, Operation } from '../../platform/http/operation.ts'
import { decode, decodeBody } from '../../platform/http/requests/decode.ts'
import { idempotentRequestOf } from '../../platform/idempotency.ts'
import { pageEntries, pageOf, toFilter } from '../../platform/listing/page-query.ts'
import { listAgreements } from './agreement-list.ts'
import { entityTagOf, toAgreementResource, toValidationResource } from './agreement-resource.ts'
import type { Agreement } from './agreement.ts'
import {
  amendAgreement,
  changeAgreementStatus,
  createAgreement,
  readAgreement,
  validateAgreement,
} from './agreements.ts'
import type { AgreementToChange } from './agreements.ts'
import type { AgreementsDeps } from './deps.ts'
import { toPaymentResource } from './payment-resource.ts'
import { acceptPayment, readPayment, readPayments } from './payments.ts'

const IdParams = v.object({ id: Identifier })

/** Query of `GET /agreements`. Strict: a misspelt filter must not be ignored. */
const ListQuery = v.strictObject({
  status: v.optional(
    v.picklist(AGREEMENT_STATUSES, 'must be created, active, suspended, cancelled or expired'),
  ),
  type: v.optional(v.picklist(AGREEMENT_TYPES, 'must be oneoff, recurring or adhoc')),
  ...pageEntries,
})

/** Query of `GET /agreements/{id}/payments`. */
const PaymentsQuery = v.strictObject({
  status: v.optional(
    v.picklist(PAYMENT_STATUSES, 'must be received, processing, settled, failed or under_investigation'),
  ),
  ...pageEntries,
})

/** The routes of agreements and their payments (contract §6). */
export function addAgreementRoutes(app: FastifyInstance, deps: AgreementsDeps, access: MerchantAccess): void {
  addReadingRoutes(app, deps, access)
  addMakingRoutes(app, deps, access)
  addChangingRoutes(app, deps, access)
  addPaymentRoutes(app, deps, access)
}

function addReadingRoutes(app: FastifyInstance, deps: AgreementsDeps, { authorize }: MerchantAccess): void {
  app.get('/agreements/:id', config(operations.get), async (request, reply) => {
    const { merchantId } = await authorize(request, 'agreements:read')
    const { id } = decode(IdParams, request.params)
    const { agreement, history } = await readAgreement(deps, merchantId, id)
    void reply.header('etag', entityTagOf(agreement))
    return answer(reply, 200, 'agreement', toAgreementResource(agreement, history))
  })

  app.get('/agreements', config(operations.list), async (request, reply) => {
    const { merchantId } = await authorize(request, 'agreements:read')
    const query = decode(ListQuery, request.query)
    const { type = null } = query
    const { shown, next } = await pageOf(toFilter(query), (page) =>
      listAgreements(deps.database, merchantId, { ...page, type }),
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

function addMakingRoutes(
  app: FastifyInstance,
  deps: AgreementsDeps,
  { authorize, answerIdempotently }: MerchantAccess,
): void {
  app.post('/agreements', config(operations.create), async (request, reply) => {
    const { merchantId } = await authorize(request, 'agreements:write')
    const body = decodeBody(AgreementRequest, request.body)
    return answerIdempotently({ request, reply, merchantId }, async () =>
      changed(201, await createAgreement(deps, merchantId, body)),
    )
  })

  const ofValidation = config(operations.validate, 'agreement_validation')
  app.post('/agreements/validate', ofValidation, async (request, reply) => {
    const { merchantId } = await authorize(request, 'agreements:write')
    const body = decodeBody(AgreementRequest, request.body)
    return answerIdempotently({ request, reply, merchantId }, async () => {
      const data = toValidationResource(await validateAgreement(deps, merchantId, body))
      return { status: 200, type: 'agreement_validation', data }
    })
  })
}

function addChangingRoutes(
  app: FastifyInstance,
  deps: AgreementsDeps,
  { authorize, answerIdempotently }: MerchantAccess,
): void {
  const changeOnce = async (
    request: FastifyRequest,
    reply: FastifyReply,
    change: (which: AgreementToChange) => Promise<Agreement>,
  ) => {
    const { merchantId } = await authorize(request, 'agreements:write')
    const { id } = decode(IdParams, request.params)
    const which = { merchantId, id, ifMatch: request.headers['if-match'] }
    return answerIdempotently({ request, reply, merchantId }, async () => changed(200, await change(which)))
  }

  app.patch('/agreements/:id', config(operations.amend), (request, reply) =>
    changeOnce(request, reply, (which) =>
      amendAgreement(deps, which, decodeBody(AmendmentRequest, request.body)),
    ),
  )

  app.patch('/agreements/:id/status', config(operations.changeStatus), (request, reply) =>
    changeOnce(request, reply, (which) =>
      changeAgreementStatus(deps, which, decodeBody(StatusRequest, request.body)),
    ),
  )
}

function addPaymentRoutes(app: FastifyInstance, deps: AgreementsDeps, { authorize }: MerchantAccess): void {
  app.post(
    '/agreements/:id/payments',
    config(paymentOperations.accept, 'payment'),
    async (request, reply) => {
      const { merchantId } = await authorize(request, 'payments:write')
      const { payment, isReplay } = await acceptPayment(deps, {
        merchantId,
        agreementId: decode(IdParams, request.params).id,
        request: decodeBody(AgreementPaymentRequest, request.body),
        idempotentRequest: idempotentRequestOf(request, merchantId),
      })
      if (isReplay) void reply.header('idempotent-replayed', 'true')
      return answer(reply, 201, 'payment', toPaymentResource(payment))
    },
  )

  app.get('/agreements/:id/payments', config(paymentOperations.list, 'payment'), async (request, reply) => {
    const { merchantId } = await authorize(request, 'payments:read')
    const { id } = decode(IdParams, request.params)
    const filter = toFilter(decode(PaymentsQuery, request.query))
    const { shown, next } = await pageOf(filter, (page) => readPayments(deps, merchantId, id, page))
    return answer(reply, 200, 'payment', shown.map(toPaymentResource), next)
  })

  app.get('/payments/:id', config(paymentOperations.get, 'payment'), async (request, reply) => {
    const { merchantId } = await authorize(request, 'payments:read')
    const { id } = decode(IdParams, request.params)
    return answer(reply, 200, 'payment', toPaymentResource(await readPayment(deps, merchantId, id)))
  })
}

function changed(status: 200 | 201, agreement: Agreement) {
  return { status, type: 'agreement', data: toAgreementResource(agreement), etag: entityTagOf(agreement) }
}

function config(operation: Operation, resourceType = 'agreement') {
  return { config: { resourceType, operation } }
}

const terms = { amount_type: 'fixed', amount: '49.90', frequency: 'monthly', point_in_period: 1 } as const
const requestExample = {
  type: 'recurring',
  description: 'Membership of Acme Gym',
  purpose: 'retail',
  debtor: {
    name: 'Grace Hopper',
    type: 'person',
    pay_id: { type: 'EMAIL', value: 'approve@sandbox.example' },
  },
  creditor: { name: 'Acme Gym', account: { bsb: '802-985', account_number: '123456789' } },
  payment_terms: terms,
  reference: 'member-1',
} as const

const agreementExample: AgreementResource = {
  _id: '6b01799184f819f4cecbe1a7',
  type: 'recurring',
  status: 'active',
  version: 0,
  description: requestExample.description,
  short_description: null,
  purpose: 'retail',
  start_date: '2026-11-22',
  end_date: null,
  debtor: {
    name: 'Grace Hopper',
    type: 'person',
    pay_id: { type: 'EMAIL', value: 'a••••@sandbox.example' },
  },
  creditor: { name: 'Acme Gym', account: { bsb: '802985', account_number: '••••••789' } },
  payment_terms: {
    amount_type: 'fixed',
    amount: 49.9,
    maximum_amount: null,
    frequency: 'monthly',
    count_per_period: null,
    point_in_period: 1,
    first_payment: null,
    last_payment: null,
  },
  max_number_of_payments: null,
  response_required_by: '2026-11-27T01:00:00.000Z',
  pending_amendment: null,
  suspended_by: null,
  reason_code: null,
  reason: null,
  reference: 'member-1',
  metadata: {},
  next_collection_date: '2026-12-01',
  created_at: '2026-11-22T01:00:00.000Z',
  updated_at: '2026-11-22T01:00:02.000Z',
}
const describedAgreement: DescribedResource = {
  name: 'Agreement',
  schema: AgreementResource,
  words: {
    status:
      'created: the debtor has not answered; active: it can be paid by; suspended; cancelled or expired: it has ended.',
    version: 'Counts the amendments that took effect.',
    response_required_by: 'Without an answer of the debtor by then it is cancelled.',
    pending_amendment: 'What the debtor was asked for and has not answered.',
    suspended_by: 'Who suspended it, and alone can release it; where it is both, each releases its own.',
    next_collection_date: 'The day, in Sydney, of the next payment that the service makes by itself.',
    history: 'What happened to it, oldest first. There when it is read by its id.',
  },
  example: agreementExample,
}
const describedValidation: DescribedResource = {
  name: 'AgreementValidation',
  schema: AgreementValidationResource,
  words: { resolved_name: "Whose the debtor's account is, by the network; null where it does not tell." },
  example: {
    valid: true,
    resolved_name: 'Grace H',
    start_date: '2026-11-22',
    response_required_by: '2026-11-27T01:00:00.000Z',
  },
}

const reading = { group: 'Agreements', key: 'oauth', scope: 'agreements:read' } as const
const writing = {
  group: 'Agreements',
  key: 'oauth',
  scope: 'agreements:write',
  isRepeatable: true,
} as const
const oneAgreement = { params: { schema: IdParams, words: { id: 'The `_id` of an agreement.' } } } as const
const IF_MATCH = 'With `If-Match` it is done only while the agreement is as its ETag says.'

const body = {
  schema: AgreementRequest,
  words: {
    start_date: 'A day in Sydney; today, when left out.',
    end_date: 'The last day.',
    debtor: 'Who pays, by an account or a PayID.',
    creditor: 'Who is paid.',
    response_required_by: 'Within 5 days; in 5 days, when left out.',
  },
  example: requestExample,
}
const errors = ['debtor_not_found', 'outside_terms', 'network_unavailable'] as const

const operations = {
  create: {
    ...writing,
    id: 'createAgreement',
    isTagged: true,
    summary: 'Ask a payer for its authority to be paid',
    description: 'The debtor accepts or declines in its bank. Once it has accepted, payments can be made.',
    body,
    answers: [{ status: 201, words: 'The agreement, `created`.', resource: describedAgreement }],
    errors,
  },
  validate: {
    ...writing,
    id: 'validateAgreement',
    summary: 'Try out what creating an agreement would answer',
    description: 'Nothing is kept, and the debtor is not asked.',
    body,
    answers: [{ status: 200, words: 'It would be taken.', resource: describedValidation }],
    errors,
  },
  get: {
    ...reading,
    ...oneAgreement,
    id: 'getAgreement',
    isTagged: true,
    summary: 'Read an agreement, with its history',
    answers: [
      { status: 200, words: 'The agreement as it stands, with its ETag.', resource: describedAgreement },
    ],
    errors: ['not_found'],
  },
  list: {
    ...reading,
    id: 'listAgreements',
    summary: 'List agreements',
    description: 'Newest first. `resource.next` is the `cursor` of the next page, null on the last.',
    query: { schema: ListQuery },
    answers: [{ status: 200, words: 'A page of agreements.', resource: describedAgreement, isPage: true }],
  },
  amend: {
    ...writing,
    ...oneAgreement,
    id: 'amendAgreement',
    isTagged: true,
    summary: 'Amend an agreement',
    description: `Words and references change at once. For terms, the end and the number of payments the debtor is asked: they stand in \`pending_amendment\` until it has answered. ${IF_MATCH}`,
    body: {
      schema: AmendmentRequest,
      words: {
        payment_terms: 'All of them, also those that stay.',
        response_required_by: 'Within 5 days; in 5 days, when left out.',
      },
      example: { payment_terms: { ...terms, amount: '59.90' } },
    },
    answers: [{ status: 200, words: 'The agreement after it.', resource: describedAgreement }],
    errors: [
      'not_found',
      'amendment_pending',
      'precondition_failed',
      'unfulfilled_condition',
      'outside_terms',
    ],
  },
  changeStatus: {
    ...writing,
    ...oneAgreement,
    id: 'changeAgreementStatus',
    isTagged: true,
    summary: 'Suspend, release or cancel an agreement',
    description: `Who suspended releases. An agreement that the debtor has not answered is recalled by \`cancel\`. ${IF_MATCH}`,
    body: {
      schema: StatusRequest,
      words: { reason_code: 'Required to suspend and to cancel.' },
      example: { action: 'suspend', reason_code: 'customer_request' },
    },
    answers: [{ status: 200, words: 'The agreement after it.', resource: describedAgreement }],
    errors: ['not_found', 'precondition_failed', 'unfulfilled_condition'],
  },
} satisfies Record<string, Operation>

const paymentExample: AgreementPaymentResource = {
  _id: '6b017a0c84f819f4cecbe1b2',
  agreement_id: '6b01799184f819f4cecbe1a7',
  agreement_version: 0,
  status: 'received',
  amount: 49.9,
  currency: 'AUD',
  reference: 'invoice-2026-11',
  description: null,
  last_payment: false,
  due_on: null,
  failure: null,
  network_reference: null,
  created_at: '2026-11-22T01:00:00.000Z',
  updated_at: '2026-11-22T01:00:00.000Z',
  settled_at: null,
}
const describedPayment: DescribedResource = {
  name: 'AgreementPayment',
  schema: AgreementPaymentResource,
  words: {
    agreement_version: 'The version of the agreement by which it was accepted.',
    status:
      'received: accepted; processing: on its way to the network; settled; failed: `failure` says why; under_investigation: it will settle or fail.',
    amount: 'In units of the currency.',
    last_payment: 'No other payment follows it.',
    due_on: 'The day for which the service made it; null when the merchant sent it.',
    network_reference: "The network's own id of the payment.",
  },
  example: paymentExample,
}

const ofPayments = { group: 'Agreements', key: 'oauth' } as const

const paymentOperations = {
  accept: {
    ...ofPayments,
    ...oneAgreement,
    id: 'createAgreementPayment',
    scope: 'payments:write',
    isRepeatable: true,
    summary: 'Take a payment from the debtor',
    description:
      'It is sent to the network in the background; its webhooks, or reading it, tell what became of it.',
    body: {
      schema: AgreementPaymentRequest,
      words: { last_payment: 'No other payment follows: the agreement expires when this one has settled.' },
      example: { amount: '49.90', reference: paymentExample.reference },
    },
    answers: [{ status: 201, words: 'The payment, `received`.', resource: describedPayment }],
    errors: ['not_found', 'unfulfilled_condition', 'outside_terms'],
  },
  list: {
    ...ofPayments,
    ...oneAgreement,
    id: 'listAgreementPayments',
    scope: 'payments:read',
    summary: 'List the payments of an agreement',
    description: 'Newest first. `resource.next` is the `cursor` of the next page, null on the last.',
    query: { schema: PaymentsQuery },
    answers: [{ status: 200, words: 'A page of payments.', resource: describedPayment, isPage: true }],
    errors: ['not_found'],
  },
  get: {
    ...ofPayments,
    params: { schema: IdParams, words: { id: 'The `_id` of a payment.' } },
    id: 'getAgreementPayment',
    scope: 'payments:read',
    summary: 'Read a payment of an agreement',
    answers: [{ status: 200, words: 'The payment as it stands.', resource: describedPayment }],
    errors: ['not_found'],
  },
} satisfies Record<string, Operation>
