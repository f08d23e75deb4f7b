import type Stripe from 'stripe'
import * as v from 'valibot'
import type {
  DisputeCategory,
  DisputeStage,
  DisputeStatus,
} from '../../../../contract/api/disputes/dispute-resource.ts'
import type { Defence, DisputeAnswer, Disputes, EvidenceFile, ToldDispute } from '../gateway.ts'
import { schemeReasonOf } from '../scheme-reasons.ts'
import { sendToStripe, shownWords } from './stripe-api.ts'
import type { Reply, StripeApi } from './stripe-api.ts'

/** A time as Stripe writes it, up to the year 9999. */
export const UnixSeconds = v.pipe(v.number(), v.minValue(0), v.maxValue(253_402_300_799))

/** What Stripe tells of a dispute, as far as it is read: each time all that is known of it. */
export const ToldStripeDispute = v.object({
  id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)),
  object: v.literal('dispute'),
  payment_intent: v.nullish(v.string()),
  amount: v.number(),
  currency: v.string(),
  reason: v.string(),
  status: v.string(),
  balance_transactions: v.array(v.object({ amount: v.number() })),
  evidence: v.object({ appeal: v.optional(v.nullable(v.object({}))) }),
  evidence_details: v.object({ due_by: v.nullish(UnixSeconds), submission_count: v.number() }),
  metadata: v.record(v.string(), v.string()),
  payment_method_details: v.nullish(
    v.object({
      card: v.nullish(
        v.object({
          case_type: v.nullish(v.string()),
          network: v.nullish(v.string()),
          brand: v.string(),
          network_reason_code: v.nullish(v.string()),
        }),
      ),
    }),
  ),
})
type ToldStripeDispute = v.InferOutput<typeof ToldStripeDispute>

/** Where each of Stripe's statuses leaves a dispute. An inquiry that is closed has taken no money; it may become a chargeback later. */
const STATUSES: Readonly<
  Record<string, { stage: DisputeStage; status: DisputeStatus; description: string }>
> = {
  warning_needs_response: {
    stage: 'inquiry',
    status: 'needs_response',
    description: 'The issuer asks about the payment',
  },
  warning_under_review: {
    stage: 'inquiry',
    status: 'under_review',
    description: 'The issuer considers the answer',
  },
  warning_closed: {
    stage: 'inquiry',
    status: 'won',
    description: 'The inquiry was closed without a chargeback',
  },
  needs_response: {
    stage: 'chargeback',
    status: 'needs_response',
    description: 'The card holder disputes the payment',
  },
  under_review: {
    stage: 'chargeback',
    status: 'under_review',
    description: 'The issuer considers the evidence',
  },
  won: { stage: 'chargeback', status: 'won', description: 'Decided for the merchant' },
  lost: { stage: 'chargeback', status: 'lost', description: 'Decided for the card holder' },
  prevented: {
    stage: 'chargeback',
    status: 'accepted',
    description: 'Settled before it became a chargeback',
  },
  appeal_needs_response: {
    stage: 'second_chargeback',
    status: 'needs_response',
    description: 'The decision can be appealed',
  },
  appeal_under_review: {
    stage: 'second_chargeback',
    status: 'under_review',
    description: 'The appeal is considered',
  },
}

/** What an event of a dispute says; null of a status that Stripe has not documented. */
export function toToldDispute(type: string, dispute: ToldStripeDispute): ToldDispute | null {
  const known = Object.hasOwn(STATUSES, dispute.status) ? STATUSES[dispute.status] : undefined
  if (known === undefined) return null
  const { due_by: dueBy } = dispute.evidence_details
  const { stage, status } = placeOf(dispute, known)
  return {
    kind: 'dispute',
    disputeId: dispute.id,
    stage,
    status,
    funds: fundsIn(type, dispute),
    reason: reasonOf(dispute),
    // Zero means that the issuer takes no answer.
    respondBy: dueBy === null || dueBy === undefined || dueBy === 0 ? null : new Date(dueBy * 1000),
    isDefensible: dueBy === null || dueBy === undefined ? null : dueBy > 0,
    description: MONEY_MOVED[type]?.description ?? known.description,
  }
}

/** A dispute that was appealed is won or lost by that appeal; one that was blocked has cost nothing. */
function placeOf(
  { evidence, payment_method_details: details, status }: ToldStripeDispute,
  known: { stage: DisputeStage; status: DisputeStatus },
): { stage: DisputeStage; status: DisputeStatus } {
  const wasAppealed = evidence.appeal !== undefined && evidence.appeal !== null
  const wasBlocked = status === 'prevented' && details?.card?.case_type === 'block'
  return {
    stage: wasAppealed && known.stage === 'chargeback' ? 'second_chargeback' : known.stage,
    status: wasBlocked ? 'won' : known.status,
  }
}

const MONEY_MOVED: Readonly<Record<string, { funds: 'withdrawn' | 'returned'; description: string }>> = {
  'charge.dispute.funds_withdrawn': { funds: 'withdrawn', description: 'Charged back' },
  'charge.dispute.funds_reinstated': { funds: 'returned', description: 'The money was given back' },
}

/** Where the money is: the event may say so, or what was booked for the dispute. */
function fundsIn(type: string, { balance_transactions: booked }: ToldStripeDispute): ToldDispute['funds'] {
  const moved = MONEY_MOVED[type]
  if (moved !== undefined) return moved.funds
  if (booked.length === 0) return null
  return booked.reduce((sum, { amount }) => sum + amount, 0) < 0 ? 'withdrawn' : 'returned'
}

/** By the scheme's code, where it is known; else by what Stripe makes of it. */
function reasonOf({ reason, payment_method_details: details }: ToldStripeDispute): ToldDispute['reason'] {
  const { network_reason_code: code, network, brand = '' } = details?.card ?? {}
  const known = schemeReasonOf(network ?? brand, code ?? '')
  const shownCode = code === null || code === undefined || code === '' ? null : shownWords(code)
  if (known !== null) return { ...known, code: shownCode }
  const said = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined
  const { category, description } = said ?? {
    category: 'other',
    description: shownWords(reason.replaceAll('_', ' ')),
  }
  return { category, code: shownCode, description }
}

/** Stripe's own reasons (docs.stripe.com, "Dispute reason code categories"). */
const REASONS: Readonly<Record<string, { category: DisputeCategory; description: string }>> = {
  credit_not_processed: { category: 'cancelled', description: 'A refund was promised and did not come' },
  duplicate: { category: 'duplicate', description: 'Charged twice, or paid by other means' },
  fraudulent: { category: 'fraud', description: 'The card holder did not authorise it' },
  general: { category: 'other', description: 'The issuer gives no further reason' },
  incorrect_account_details: { category: 'processing_error', description: 'Wrong account number' },
  insufficient_funds: { category: 'other', description: 'The account had not enough money' },
  noncompliant: { category: 'other', description: 'Against the rules of the scheme' },
  product_not_received: { category: 'not_received', description: 'Goods or services were not received' },
  product_unacceptable: {
    category: 'not_as_described',
    description: 'Goods or services were not as described, or defective',
  },
  subscription_canceled: { category: 'cancelled', description: 'A recurring payment was cancelled' },
  unrecognized: { category: 'fraud', description: 'The card holder does not recognise it' },
}

/** What Stripe takes of the files of one dispute (docs.stripe.com, "Dispute evidence best practices"). */
const TAKES: Disputes['takes'] = {
  contentTypes: ['application/pdf', 'image/jpeg', 'image/png'],
  maxTotalBytes: 4_500_000,
  statement: true,
}

/**
 * Disputes by Stripe's API. Each file is uploaded under a key of its own, so that it is there once. The evidence names our answer's id in the
 * dispute's metadata, and is sent without a key: Stripe takes evidence once. So whenever it is refused, or no answer came, the dispute itself
 * tells whether this answer was taken before.
 */
export function stripeDisputes(api: StripeApi): Disputes {
  return {
    takes: TAKES,
    defencesOf: ({ reason }) =>
      Promise.resolve({ kind: 'known', defences: [defenceFor(reason?.category ?? 'other')] }),
    accept: (request) => accept(api, request),
    defend: (request) => defend(api, request),
  }
}

type Asking = Parameters<Disputes['accept']>[0]
type Defending = Parameters<Disputes['defend']>[0]

const UNKNOWN = { kind: 'unknown' } as const
const pathOf = (disputeId: string) => `/v1/disputes/${encodeURIComponent(disputeId)}`

async function accept(api: StripeApi, { disputeId, signal }: Asking): Promise<DisputeAnswer> {
  const request = { method: 'POST', path: `${pathOf(disputeId)}/close`, params: {}, key: null } as const
  const reply = await sendToStripe(api, request, signal)
  const closed = disputeIn(reply, disputeId)
  if (closed !== null) return closed.status === 'lost' ? { kind: 'taken' } : UNKNOWN
  const wasClosed = ({ status, evidence_details: details }: ToldStripeDispute) =>
    status === 'lost' && details.submission_count === 0
  return unlessTaken(api, { disputeId, signal }, reply, wasClosed)
}

async function defend(api: StripeApi, request: Defending): Promise<DisputeAnswer> {
  const { disputeId, answerId, statement, documents, signal } = request
  const strange = documents.find(({ type }) => !Object.hasOwn(FILES, type))
  if (strange !== undefined)
    return refusal(
      `Stripe takes no document "${shownWords(strange.type)}". Remove it, or add it as one of: ${Object.keys(FILES).join(', ')}.`,
    )
  const uploads: [type: string, id: string][] = []
  for (const file of documents) {
    const uploaded = await upload(api, answerId, file, signal)
    if ('answer' in uploaded) return uploaded.answer
    uploads.push([file.type, uploaded.id])
  }
  const evidence: Stripe.DisputeUpdateParams.Evidence = {
    ...Object.fromEntries(uploads),
    ...(statement !== null && { uncategorized_text: statement }),
  }
  const params = { evidence, submit: true, metadata: { answer_id: answerId } }
  const reply = await sendToStripe(
    api,
    { method: 'POST', path: pathOf(disputeId), params, key: null },
    signal,
  )
  const isOurs = (dispute: ToldStripeDispute) =>
    dispute.metadata['answer_id'] === answerId && dispute.evidence_details.submission_count > 0
  const updated = disputeIn(reply, disputeId)
  if (updated !== null) return isOurs(updated) ? { kind: 'taken' } : UNKNOWN
  return unlessTaken(api, request, reply, isOurs)
}

/** The dispute that Stripe has answered with; null for any other answer, or another dispute. */
function disputeIn(reply: Reply, disputeId: string): ToldStripeDispute | null {
  if (reply.kind !== 'answered') return null
  const parsed = v.safeParse(ToldStripeDispute, reply.body)
  return parsed.success && parsed.output.id === disputeId ? parsed.output : null
}

/** What a reply says that has no dispute in it, unless the dispute shows that the answer was taken, by this request or one before. */
async function unlessTaken(
  api: StripeApi,
  { disputeId, signal }: Pick<Asking, 'disputeId' | 'signal'>,
  reply: Reply,
  isTaken: (dispute: ToldStripeDispute) => boolean,
): Promise<DisputeAnswer> {
  const answer = withoutResult(reply)
  if (reply.kind !== 'refused') return answer
  const looked = await sendToStripe(api, { method: 'GET', path: pathOf(disputeId) }, signal)
  if (looked.kind === 'refused') return answer
  const dispute = disputeIn(looked, disputeId)
  if (dispute === null) return UNKNOWN
  return isTaken(dispute) ? { kind: 'taken' } : answer
}

/** Nothing was carried out of what is refused, not let in, or turned away for want of time. */
function withoutResult(reply: Reply): DisputeAnswer {
  switch (reply.kind) {
    case 'refused':
    case 'declined':
      return refusal(reply.fault.message)
    case 'forbidden':
      return { kind: 'refused', message: notLetIn(reply.status) }
    case 'turned_away':
    case 'unreachable':
      return { kind: 'unreachable' }
    case 'answered':
    case 'unknown':
      return UNKNOWN
  }
}

const LONGEST_WORDS = 500

function refusal(words: string): DisputeAnswer {
  const message = words === '' ? "Stripe does not take this. See the dispute in Stripe's Dashboard." : words
  return { kind: 'refused', message: message.slice(0, LONGEST_WORDS) }
}

function notLetIn(status: number): string {
  return `Stripe does not let this key answer disputes (HTTP ${status}). A restricted key needs "write" for Disputes and for Files: change it in Stripe's Dashboard, or answer the dispute there.`
}

const Uploaded = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  object: v.literal('file'),
  purpose: v.literal('dispute_evidence'),
  size: v.number(),
})

/** Uploads a file, or says why the defence can't be sent. What is answered must have its size: evidence of others goes nowhere. */
async function upload(
  api: StripeApi,
  answerId: string,
  { type, name, contentType, content }: EvidenceFile,
  signal: AbortSignal,
): Promise<{ id: string } | { answer: DisputeAnswer }> {
  const file = { purpose: 'dispute_evidence', name, contentType, content }
  const request = { method: 'POST', path: '/v1/files', file } as const
  const reply = await sendToStripe(api, { ...request, key: `${answerId}-${type}` }, signal)
  const isSpent = reply.kind === 'unknown' && reply.isReplayed
  const last = isSpent ? await sendToStripe(api, { ...request, key: null }, signal) : reply
  if (last.kind !== 'answered') return { answer: withoutResult(last) }
  const parsed = v.safeParse(Uploaded, last.body)
  const isWhole = parsed.success && parsed.output.size === content.length
  return isWhole ? { id: parsed.output.id } : { answer: UNKNOWN }
}

/** The files that Stripe's evidence can have, in words. */
const FILES: Readonly<Record<EvidenceFileType, string>> = {
  receipt: 'Receipt, or a message that told the customer of the charge',
  customer_communication: 'Messages to and from the customer',
  customer_signature: "A contract or document with the customer's signature",
  shipping_documentation: "Proof of shipment to the customer's address",
  service_documentation: 'Proof that the service was provided, such as a signed contract',
  cancellation_policy: 'The rules for cancelling, as the customer saw them',
  refund_policy: 'The rules for refunds, as the customer saw them',
  duplicate_charge_documentation: 'Proof that the other charge was for something else',
  uncategorized_file: 'Any other proof',
}
type EvidenceFileType = Extract<
  keyof Stripe.DisputeUpdateParams.Evidence,
  | 'cancellation_policy'
  | 'customer_communication'
  | 'customer_signature'
  | 'duplicate_charge_documentation'
  | 'receipt'
  | 'refund_policy'
  | 'service_documentation'
  | 'shipping_documentation'
  | 'uncategorized_file'
>

/** Stripe knows one way to defend a dispute: what helps depends on the reason (docs.stripe.com, "Dispute reason code categories"). */
const HELPS: Readonly<Record<DisputeCategory, { description: string; files: readonly EvidenceFileType[] }>> =
  {
    fraud: {
      description: 'The card holder made the purchase',
      files: [
        'customer_signature',
        'customer_communication',
        'shipping_documentation',
        'service_documentation',
      ],
    },
    authorisation: { description: 'The payment was authorised', files: ['receipt', 'customer_signature'] },
    processing_error: { description: 'The payment was processed rightly', files: ['receipt'] },
    not_received: {
      description: 'The goods were delivered, or the service provided',
      files: ['shipping_documentation', 'service_documentation', 'customer_communication'],
    },
    not_as_described: {
      description: 'Goods or services were as described',
      files: ['service_documentation', 'customer_communication', 'refund_policy'],
    },
    cancelled: {
      description: 'It was not cancelled, or no refund is due',
      files: ['cancellation_policy', 'refund_policy', 'customer_communication'],
    },
    duplicate: {
      description: 'The charges are for different things',
      files: ['duplicate_charge_documentation', 'receipt'],
    },
    other: { description: 'The payment is right', files: ['receipt', 'customer_communication'] },
  }

/** Of the files that help, or any other proof, Stripe is sent one at least: an empty answer would use up the only one. */
function defenceFor(category: DisputeCategory): Defence {
  const { description, files } = HELPS[category]
  const helpful = new Set<string>([...files, 'uncategorized_file'])
  const all = Object.entries(FILES).map(([type, words]) => ({
    type,
    description: words,
    requirement: helpful.has(type) ? ('one_or_more' as const) : ('optional' as const),
  }))
  return {
    code: 'evidence',
    description,
    documents: all.toSorted((one, other) => Number(helpful.has(other.type)) - Number(helpful.has(one.type))),
  }
}
