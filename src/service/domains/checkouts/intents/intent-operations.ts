import * as v from 'valibot'
import { CheckoutRequest } from '../../../../contract/api/checkouts/checkout-request.ts'
import {
  CheckoutResource,
  CheckoutVersion,
  CheckoutWithJourney,
} from '../../../../contract/api/checkouts/checkout-resource.ts'
import { Identifier } from '../../../../contract/api/fields/identifier.ts'
import type { DescribedResource, Operation } from '../../../platform/http/operation.ts'
import { ListQuery } from './list-query.ts'

export const IntentParams = v.object({ id: Identifier })

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
  created_at: '2026-11-21T10:00:00.000Z',
  updated_at: '2026-11-21T10:00:00.000Z',
  token: 'eyJhbGciOiJIUzI1NiJ9.…',
  ...sdk,
}
const words = {
  status: 'active: can be paid; completed: its charge was made; expired: 16 minutes are over; cancelled.',
  token:
    'For the page: a JWT of 16 minutes. Null once the checkout has ended or has no tries left, and in lists.',
  recommended_sdk_version_url: 'The SDK that the page loads; null when no release serves the version.',
  recommended_sdk_version_integrity: 'For the `integrity` of its script element.',
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
export const intentOperations = {
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
