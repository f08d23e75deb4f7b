import * as v from 'valibot'
import { AgreementRequest, AmendmentRequest } from '../../../contract/api/agreements/agreement-request.ts'
import { StatusRequest } from '../../../contract/api/agreements/agreement-status-request.ts'
import {
  AgreementResource,
  AgreementValidationResource,
} from '../../../contract/api/agreements/agreement-resource.ts'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import type { DescribedResource, Operation } from '../../platform/http/operation.ts'
import { ListQuery } from './list-query.ts'

export const AgreementParams = v.object({ id: Identifier })

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

const example: AgreementResource = {
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
const agreement: DescribedResource = {
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
  example,
}
const validation: DescribedResource = {
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
const one = { params: { schema: AgreementParams, words: { id: 'The `_id` of an agreement.' } } } as const
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

/** The routes of agreements as the OpenAPI document shows them (contract §6). */
export const agreementOperations = {
  create: {
    ...writing,
    id: 'createAgreement',
    isTagged: true,
    summary: 'Ask a payer for its authority to be paid',
    description: 'The debtor accepts or declines in its bank. Once it has accepted, payments can be made.',
    body,
    answers: [{ status: 201, words: 'The agreement, `created`.', resource: agreement }],
    errors,
  },
  validate: {
    ...writing,
    id: 'validateAgreement',
    summary: 'Try out what creating an agreement would answer',
    description: 'Nothing is kept, and the debtor is not asked.',
    body,
    answers: [{ status: 200, words: 'It would be taken.', resource: validation }],
    errors,
  },
  get: {
    ...reading,
    ...one,
    id: 'getAgreement',
    isTagged: true,
    summary: 'Read an agreement, with its history',
    answers: [{ status: 200, words: 'The agreement as it stands, with its ETag.', resource: agreement }],
    errors: ['not_found'],
  },
  list: {
    ...reading,
    id: 'listAgreements',
    summary: 'List agreements',
    description: 'Newest first. `resource.next` is the `cursor` of the next page, null on the last.',
    query: { schema: ListQuery },
    answers: [{ status: 200, words: 'A page of agreements.', resource: agreement, isPage: true }],
  },
  amend: {
    ...writing,
    ...one,
    id: 'amendAgreement',
    isTagged: true,
    summary: 'Amend an agreement',
    description: `Words and references change at once. For terms, the end and the number of payments the debtor is asked: they stand in \`pending_amendment\` until it has answered. ${IF_MATCH}`,
    body: {
      schema: AmendmentRequest,
      words: {
        metadata: 'In place of what there is.',
        payment_terms: 'All of them, also those that stay.',
        response_required_by: 'Within 5 days; in 5 days, when left out.',
      },
      example: { payment_terms: { ...terms, amount: '59.90' } },
    },
    answers: [{ status: 200, words: 'The agreement after it.', resource: agreement }],
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
    ...one,
    id: 'changeAgreementStatus',
    isTagged: true,
    summary: 'Suspend, release or cancel an agreement',
    description: `Who suspended releases. An agreement that the debtor has not answered is recalled by \`cancel\`. ${IF_MATCH}`,
    body: {
      schema: StatusRequest,
      words: { reason_code: 'Required to suspend and to cancel.' },
      example: { action: 'suspend', reason_code: 'customer_request' },
    },
    answers: [{ status: 200, words: 'The agreement after it.', resource: agreement }],
    errors: ['not_found', 'precondition_failed', 'unfulfilled_condition'],
  },
} satisfies Record<string, Operation>
