import * as v from 'valibot'
import {
  CaptureRequest,
  ChargeQuery,
  ChargeRequest,
  RefundRequest,
} from '../../../contract/api/charges/charge-request.ts'
import { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import { CHARGE_STATUSES } from '../../../contract/api/charges/charge-resource.ts'
import { pageEntries } from '../../platform/listing/page-query.ts'
import type { DescribedResource, Operation } from '../../platform/http/operation.ts'
import { chargeExample } from './charge-example.ts'

/** Query of `GET /v1/charges` (contract §4). Strict: a misspelt filter would list what was not asked for. */
export const ListQuery = v.strictObject({
  status: v.optional(
    v.picklist(CHARGE_STATUSES, 'must be processing, pending, complete, cancelled, failed or refunded'),
  ),
  ...pageEntries,
})

export const ChargeParams = v.object({ id: Identifier })

const charge: DescribedResource = {
  name: 'Charge',
  schema: ChargeResource,
  words: {
    status:
      'processing: not answered yet; pending: funds are held; complete: taken; cancelled: released; failed; refunded: all of it went back.',
    capture: 'Whether the money was taken.',
    authorization: 'Whether it began as a hold.',
    amount: 'In units of the currency.',
    transactions: 'Every movement of the charge, oldest first.',
    company_id: 'The merchant.',
    external_id: "The gateway's own id of the sale.",
    __v: 'Counts the changes of the charge.',
  },
  example: chargeExample,
}

const oneCharge = {
  group: 'Charges',
  key: 'secret',
  params: { schema: ChargeParams, words: { id: 'The `_id` of a charge.' } },
} as const

const movement = { ...oneCharge, isRepeatable: true, refusalShows: charge } as const
const fromGateway = [
  'transaction_declined',
  'insufficient_funds',
  'credit_card_invalid_or_expired',
  'fraud_warning',
  'gateway_unavailable',
  'outcome_unknown',
] as const
const wrongState = ['not_found', 'unfulfilled_condition', 'request_in_progress'] as const
const answered = (status: number, words: string) => [{ status, words, resource: charge }]

/** The charge routes as the OpenAPI document shows them (contract §4). */
export const chargeOperations = {
  sell: {
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
    refusalShows: charge,
  },
  capture: {
    ...movement,
    id: 'captureCharge',
    summary: 'Take held funds',
    description: 'All of them, or a part: the rest is released.',
    body: { schema: CaptureRequest, isOptional: true, example: { amount: '7.50' } },
    answers: answered(201, 'The charge, `complete`.'),
    errors: [...wrongState, 'amount_exceeds_authorised', 'authorisation_expired', ...fromGateway],
  },
  cancel: {
    ...movement,
    id: 'cancelCharge',
    summary: 'Release held funds',
    answers: answered(200, 'The charge, `cancelled`.'),
    errors: [...wrongState, 'authorisation_expired', ...fromGateway],
  },
  refund: {
    ...movement,
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
    answers: answered(200, 'The charge as it stands.'),
    errors: ['not_found'],
  },
  list: {
    id: 'listCharges',
    group: 'Charges',
    summary: 'List charges',
    description: 'Newest first. `resource.next` is the `cursor` of the next page, null on the last.',
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
    answers: [{ status: 200, words: 'A page of charges.', resource: charge, isPage: true }],
  },
} satisfies Record<string, Operation>
