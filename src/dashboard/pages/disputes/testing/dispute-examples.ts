import type {
  DefencesResource,
  DisputeDocumentResource,
  DisputeResource,
} from '../../../../contract/api/disputes/dispute-resource.ts'
import { CHARGE_ID } from '../../charges/testing/charge-examples.ts'

export const DISPUTE_ID = '6b017a3384f819f4cecbe1f0'

/** A chargeback of 10.00 that can be answered for three days; tests take place on 21 November, 21:00 in Sydney. */
export function dispute(change: Partial<DisputeResource> = {}): DisputeResource {
  return {
    _id: DISPUTE_ID,
    charge_id: CHARGE_ID,
    gateway_id: '6b01799184f819f4cecbe1c3',
    gateway_type: 'sandbox',
    external_id: 'dp_1',
    status: 'needs_response',
    stage: 'chargeback',
    amount: 10,
    currency: 'AUD',
    funds_withdrawn: true,
    reason: { category: 'not_received', code: '13.1', description: 'Merchandise not received' },
    respond_by: '2026-11-24T10:00:00.000Z',
    actions: ['accept', 'defend'],
    answer: null,
    earlier_answers: [],
    documents: [],
    history: [
      {
        change: 'opened',
        status: 'needs_response',
        stage: 'chargeback',
        description: 'Charged back',
        at: '2026-11-21T09:00:00.000Z',
      },
    ],
    created_at: '2026-11-21T09:00:00.000Z',
    updated_at: '2026-11-21T09:00:00.000Z',
    ...change,
  }
}

/** An answer of the merchant, which the gateway has not confirmed yet. */
export function answer(
  change: Partial<NonNullable<DisputeResource['answer']>> = {},
): NonNullable<DisputeResource['answer']> {
  return {
    action: 'defend',
    state: 'sending',
    defence: 'goods_provided',
    defence_description: 'The goods were delivered',
    statement: null,
    documents: ['6b017a3384f819f4cecbe1f1'],
    message: null,
    created_at: '2026-11-21T09:30:00.000Z',
    ...change,
  }
}

/** A file that proves a delivery. */
export function document(change: Partial<DisputeDocumentResource> = {}): DisputeDocumentResource {
  return {
    _id: '6b017a3384f819f4cecbe1f1',
    type: 'proof_of_delivery',
    name: 'delivery.pdf',
    content_type: 'application/pdf',
    size: 120_000,
    created_at: '2026-11-21T09:20:00.000Z',
    ...change,
  }
}

/** Two defences, one of which needs a file and the other one of two. */
export const DEFENCES: DefencesResource = {
  defences: [
    {
      code: 'goods_provided',
      description: 'The goods were delivered',
      documents: [
        {
          type: 'proof_of_delivery',
          description: 'Proof of delivery',
          requirement: 'required',
          is_added: false,
        },
        { type: 'invoice', description: 'Invoice', requirement: 'optional', is_added: false },
      ],
      is_ready: false,
    },
    {
      code: 'refunded',
      description: 'The money was given back',
      documents: [
        {
          type: 'refund_receipt',
          description: 'Receipt of the refund',
          requirement: 'one_or_more',
          is_added: false,
        },
        { type: 'letters', description: 'Letters', requirement: 'one_or_more', is_added: false },
      ],
      is_ready: false,
    },
  ],
  content_types: ['application/pdf', 'image/png'],
  max_total_bytes: 2_500_000,
  takes_statement: true,
}
