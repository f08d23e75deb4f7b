import * as v from 'valibot'
import { AgreementPaymentRequest } from '../../../../contract/api/agreements/agreement-request.ts'
import {
  AgreementPaymentResource,
  PAYMENT_STATUSES,
} from '../../../../contract/api/agreements/agreement-payment-resource.ts'
import { Identifier } from '../../../../contract/api/fields/identifier.ts'
import type { DescribedResource, Operation } from '../../../platform/http/operation.ts'
import { pageEntries } from '../../../platform/listing/page-query.ts'

export const PaymentParams = v.object({ id: Identifier })

/** Query of `GET /agreements/{id}/payments`. Strict: a misspelt filter would list what was not asked for. */
export const PaymentsQuery = v.strictObject({
  status: v.optional(
    v.picklist(PAYMENT_STATUSES, 'must be received, processing, settled, failed or under_investigation'),
  ),
  ...pageEntries,
})

const example: AgreementPaymentResource = {
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
const payment: DescribedResource = {
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
  example,
}

const all = { group: 'Agreements', key: 'oauth' } as const
const ofAgreement = {
  params: { schema: PaymentParams, words: { id: 'The `_id` of an agreement.' } },
} as const

/** The routes of payments as the OpenAPI document shows them (contract §6.5). */
export const paymentOperations = {
  accept: {
    ...all,
    ...ofAgreement,
    id: 'createAgreementPayment',
    scope: 'payments:write',
    isRepeatable: true,
    summary: 'Take a payment from the debtor',
    description:
      'It is sent to the network in the background; its webhooks, or reading it, tell what became of it.',
    body: {
      schema: AgreementPaymentRequest,
      words: { last_payment: 'No other payment follows: the agreement expires when this one has settled.' },
      example: { amount: '49.90', reference: example.reference },
    },
    answers: [{ status: 201, words: 'The payment, `received`.', resource: payment }],
    errors: ['not_found', 'unfulfilled_condition', 'outside_terms'],
  },
  list: {
    ...all,
    ...ofAgreement,
    id: 'listAgreementPayments',
    scope: 'payments:read',
    summary: 'List the payments of an agreement',
    description: 'Newest first. `resource.next` is the `cursor` of the next page, null on the last.',
    query: { schema: PaymentsQuery },
    answers: [{ status: 200, words: 'A page of payments.', resource: payment, isPage: true }],
    errors: ['not_found'],
  },
  get: {
    ...all,
    params: { schema: PaymentParams, words: { id: 'The `_id` of a payment.' } },
    id: 'getAgreementPayment',
    scope: 'payments:read',
    summary: 'Read a payment of an agreement',
    answers: [{ status: 200, words: 'The payment as it stands.', resource: payment }],
    errors: ['not_found'],
  },
} satisfies Record<string, Operation>
