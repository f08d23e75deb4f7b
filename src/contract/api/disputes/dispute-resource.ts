import * as v from 'valibot'
import { Identifier } from '../fields/identifier.ts'

const timestamp = v.pipe(v.string(), v.isoTimestamp())
const nullableText = v.nullable(v.string())

/**
 * Where a dispute stands (contract §4.2). `needs_response`: the merchant may defend or accept it; `under_review`: issuer or scheme decides;
 * `accepted`: the merchant has let the card holder have the money.
 */
export const DISPUTE_STATUSES = ['needs_response', 'under_review', 'won', 'lost', 'accepted'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** `inquiry`: the issuer asks, and no money has moved. `second_chargeback`: after a first defence, pre-arbitration and arbitration included. */
export const DISPUTE_STAGES = ['inquiry', 'chargeback', 'second_chargeback'] as const
export type DisputeStage = (typeof DISPUTE_STAGES)[number]

/** Why card holders dispute, whatever the scheme calls it. */
export const DISPUTE_CATEGORIES = [
  'fraud',
  'authorisation',
  'processing_error',
  'not_received',
  'not_as_described',
  'cancelled',
  'duplicate',
  'other',
] as const
export type DisputeCategory = (typeof DISPUTE_CATEGORIES)[number]

/** What webhooks are told of a dispute, as `dispute.` and the change (docs/webhooks.md). */
export const DISPUTE_CHANGES = [
  'opened',
  'evidence_due',
  'under_review',
  'won',
  'lost',
  'accepted',
  'reopened',
  'updated',
] as const
export type DisputeChange = (typeof DISPUTE_CHANGES)[number]

/** The files that a defence may hold; each gateway takes some of these. */
export const EVIDENCE_TYPES = ['application/pdf', 'image/jpeg', 'image/png'] as const
export type EvidenceType = (typeof EVIDENCE_TYPES)[number]
/** What people call them. */
export const EVIDENCE_TYPE_NAMES: Readonly<Record<EvidenceType, string>> = {
  'application/pdf': 'PDF',
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
}

/** The most bytes of one file, and the most files of one dispute. */
export const MAX_EVIDENCE_BYTES = 2_000_000
export const MAX_EVIDENCE_FILES = 10
/** The most characters of what a merchant writes to the issuer. */
export const MAX_STATEMENT = 10_000

/** A file that was added to a dispute; its content is kept encrypted. */
export const DisputeDocumentResource = v.strictObject({
  _id: Identifier,
  /** What it proves: one of the `documents` of a defence (`GET /v1/disputes/{id}/defences`). */
  type: v.string(),
  name: v.string(),
  content_type: v.picklist(EVIDENCE_TYPES),
  /** In bytes. */
  size: v.number(),
  created_at: timestamp,
})
export type DisputeDocumentResource = v.InferOutput<typeof DisputeDocumentResource>

/** What the merchant answered at this stage. */
const DisputeAnswerResource = v.strictObject({
  action: v.picklist(['accept', 'defend']),
  /** `sending`: the gateway has not confirmed it yet; `refused`: it did not take it, `message` says why, and another may be given. */
  state: v.picklist(['sending', 'sent', 'refused']),
  /** The defence that was chosen, and what the gateway calls it; null when it was accepted. */
  defence: nullableText,
  defence_description: nullableText,
  /** The merchant's own words to the issuer; null for none. */
  statement: nullableText,
  /** The ids of the files that go with it. What was added for another defence is not sent. */
  documents: v.array(Identifier),
  message: nullableText,
  created_at: timestamp,
})

/** What the merchant answered at an earlier stage, with the files as they were sent. */
const EarlierAnswerResource = v.strictObject({
  stage: v.picklist(DISPUTE_STAGES),
  ...DisputeAnswerResource.entries,
  documents: v.array(DisputeDocumentResource),
})
export type EarlierAnswerResource = v.InferOutput<typeof EarlierAnswerResource>

/** A card holder's dispute of a charge, on the wire. Amounts are numbers in units of the currency. */
export const DisputeResource = v.strictObject({
  _id: Identifier,
  charge_id: Identifier,
  gateway_id: v.string(),
  gateway_type: v.string(),
  /** The gateway's own id of it. */
  external_id: v.string(),
  status: v.picklist(DISPUTE_STATUSES),
  stage: v.picklist(DISPUTE_STAGES),
  amount: v.number(),
  currency: v.string(),
  /** Whether the gateway has taken the amount back from the merchant. */
  funds_withdrawn: v.boolean(),
  reason: v.strictObject({
    category: v.picklist(DISPUTE_CATEGORIES),
    /** The scheme's own code, such as 10.4 of Visa; null if the gateway does not tell. */
    code: nullableText,
    description: v.string(),
  }),
  /** Until when it can be answered; null if the gateway does not tell, or it can't be answered. */
  respond_by: v.nullable(timestamp),
  /** What the merchant can do now. */
  actions: v.array(v.picklist(['accept', 'defend'])),
  answer: v.nullable(DisputeAnswerResource),
  /** One of each stage before this one, oldest first. */
  earlier_answers: v.array(EarlierAnswerResource),
  documents: v.array(DisputeDocumentResource),
  /** What happened, oldest first. */
  history: v.array(
    v.strictObject({
      change: v.picklist(DISPUTE_CHANGES),
      status: v.picklist(DISPUTE_STATUSES),
      stage: v.picklist(DISPUTE_STAGES),
      description: v.string(),
      at: timestamp,
    }),
  ),
  created_at: timestamp,
  updated_at: timestamp,
})
export type DisputeResource = v.InferOutput<typeof DisputeResource>

/** A way to defend a dispute, with the documents that it takes. */
export const DefenceResource = v.strictObject({
  /** What `POST /v1/disputes/{id}/defend` names. */
  code: v.string(),
  description: v.string(),
  documents: v.array(
    v.strictObject({
      type: v.string(),
      description: v.string(),
      /** `one_or_more`: at least one of those that are marked so. */
      requirement: v.picklist(['required', 'one_or_more', 'optional']),
      is_added: v.boolean(),
    }),
  ),
  /** Whether it may be sent with what was added so far. */
  is_ready: v.boolean(),
})
export type DefenceResource = v.InferOutput<typeof DefenceResource>

/** What a defence of one dispute can consist of. */
export const DefencesResource = v.strictObject({
  defences: v.array(DefenceResource),
  content_types: v.array(v.picklist(EVIDENCE_TYPES)),
  /** Of all files together. */
  max_total_bytes: v.number(),
  /** Whether a `statement` may be sent with it. */
  takes_statement: v.boolean(),
})
export type DefencesResource = v.InferOutput<typeof DefencesResource>
