import { randomBytes } from 'node:crypto'
import Stripe from 'stripe'
import * as v from 'valibot'
import type { DoubleAnswer } from '../../testing/double-faults.ts'
import { gatewayTime } from '../../testing/double-server.ts'
import type { StripeLedger } from './stripe-ledger.ts'
import { disputeLike, eventLike, fileLike } from './stripe-shapes.ts'

/** How a dispute begins, unless it is one of fraud by Visa of the whole payment. */
interface Opening {
  amount?: number
  code?: string
  /** The issuer only asks. */
  isInquiry?: boolean
  /** Until when it can be answered; null: the issuer takes no answer. */
  until?: Date | null
}

/** What the issuer may do next. */
export type Ruling = 'won' | 'lost' | 'is charged back' | 'can be appealed'

/** The double's disputes and files, and what each request does to them. */
export interface DisputeLedger {
  apply: (method: string, path: string, params: unknown) => DoubleAnswer
  /** Keeps an uploaded file. */
  keep: (content: Buffer) => DoubleAnswer
  /** Has the holder of the card dispute the payment that an attempt made; the dispute's id. */
  open: (attemptId: string, opening?: Opening) => string
  rule: (id: string, ruling: Ruling) => void
  /** How a dispute stands, the files that were submitted for it, and how often it was answered. */
  of: (id: string) => { status: string; documents: ReadonlyMap<string, Buffer>; answers: number }
  /** What it has to tell, oldest first. */
  told: DisputeEvent[]
}

interface DisputeEvent {
  type: string
  object: object
}

interface Dispute {
  id: string
  paymentId: string
  opening: Required<Opening>
  status: string
  caseType: string
  submissions: number
  answers: number
  evidence: Record<string, string>
  metadata: Record<string, string>
  /** What was booked for it, in cents. */
  booked: { amount: number }[]
  documents: Map<string, Buffer>
}

const Update = v.object({
  evidence: v.optional(v.record(v.string(), v.string()), {}),
  metadata: v.optional(v.record(v.string(), v.string()), {}),
})
const FORTNIGHT_MS = 14 * 86_400_000
const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

/** Stripe gives no code for what a dispute takes no more. */
const refused = (message: string): DoubleAnswer => ({
  status: 400,
  body: { error: { type: 'invalid_request_error', message } },
})
const missing = (id: string): DoubleAnswer => ({
  status: 404,
  body: {
    error: { type: 'invalid_request_error', code: 'resource_missing', message: `No such dispute: '${id}'` },
  },
})
const isOpen = ({ status }: Dispute) => status.endsWith('needs_response')

/** What the double has kept of all disputes. */
interface Kept {
  disputes: Map<string, Dispute>
  files: Map<string, Buffer>
  told: DisputeEvent[]
}

export function createDisputeLedger({ paymentIdOf }: StripeLedger): DisputeLedger {
  const kept: Kept = { disputes: new Map(), files: new Map(), told: [] }
  const disputeOf = (id: string): Dispute => {
    const dispute = kept.disputes.get(id)
    if (dispute === undefined) throw new Error(`there is no dispute ${id}`)
    return dispute
  }
  return {
    told: kept.told,
    keep(content) {
      const id = newId('file')
      kept.files.set(id, content)
      return { status: 200, body: fileLike({ id, size: content.length, filename: 'evidence', type: 'pdf' }) }
    },
    apply(method, path, params) {
      const [, id = '', step = method] = /^\/v1\/disputes\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? []
      const dispute = kept.disputes.get(id)
      if (dispute === undefined) return missing(id)
      if (step === 'POST') return submit(kept, dispute, params)
      return step === 'close' ? close(kept, dispute) : read(dispute)
    },
    open: (attemptId, opening = {}) => openDispute(kept, paymentIdOf(attemptId), opening),
    rule: (id, ruling) => rule(kept, disputeOf(id), ruling),
    of: disputeOf,
  }
}

function tell({ told }: Kept, dispute: Dispute, event: string): void {
  told.push({ type: `charge.dispute.${event}`, object: toResource(dispute) })
}

function openDispute(kept: Kept, paymentId: string, given: Opening): string {
  const until = new Date(gatewayTime() + FORTNIGHT_MS)
  const opening = { amount: 10_000, code: '10.4', isInquiry: false, until, ...given }
  const { isInquiry, amount } = opening
  const dispute: Dispute = {
    ...{ id: newId('dp'), paymentId, opening, submissions: 0, answers: 0, evidence: {}, metadata: {} },
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
    caseType: isInquiry ? 'inquiry' : 'chargeback',
    booked: isInquiry ? [] : [{ amount: -amount }],
    documents: new Map(),
  }
  kept.disputes.set(dispute.id, dispute)
  tell(kept, dispute, 'created')
  if (!isInquiry) tell(kept, dispute, 'funds_withdrawn')
  return dispute.id
}

function rule(kept: Kept, dispute: Dispute, ruling: Ruling): void {
  const { amount } = dispute.opening
  if (ruling === 'is charged back') {
    dispute.status = 'needs_response'
    dispute.caseType = 'chargeback'
    dispute.booked.push({ amount: -amount })
    tell(kept, dispute, 'updated')
    tell(kept, dispute, 'funds_withdrawn')
  } else if (ruling === 'can be appealed') {
    dispute.status = 'appeal_needs_response'
    tell(kept, dispute, 'updated')
  } else {
    const hasTaken = dispute.booked.length > 0
    const isReturned = ruling === 'won' && hasTaken
    dispute.status = hasTaken ? ruling : 'warning_closed'
    if (isReturned) dispute.booked.push({ amount })
    tell(kept, dispute, 'closed')
    if (isReturned) tell(kept, dispute, 'funds_reinstated')
  }
}

function submit(kept: Kept, dispute: Dispute, params: unknown): DoubleAnswer {
  const { evidence, metadata } = v.parse(Update, params)
  if (!isOpen(dispute)) return refused('This dispute is closed, or its evidence was submitted already.')
  for (const [field, id] of Object.entries(evidence)) {
    const content = kept.files.get(id)
    if (field === 'uncategorized_text') continue
    if (content === undefined) return refused(`No such file upload for ${field}`)
    dispute.documents.set(field, content)
  }
  Object.assign(dispute.evidence, evidence)
  Object.assign(dispute.metadata, metadata)
  dispute.submissions += 1
  dispute.answers += 1
  dispute.status = dispute.status.replace('needs_response', 'under_review')
  tell(kept, dispute, 'updated')
  return read(dispute)
}

function close(kept: Kept, dispute: Dispute): DoubleAnswer {
  if (!isOpen(dispute)) return refused('This dispute is already closed.')
  dispute.status = 'lost'
  dispute.answers += 1
  tell(kept, dispute, 'closed')
  return read(dispute)
}

function read(dispute: Dispute): DoubleAnswer {
  return { status: 200, body: toResource(dispute) }
}

function toResource(dispute: Dispute): object {
  const { id, paymentId, opening, status, caseType, submissions, evidence, metadata, booked } = dispute
  const { amount, code, until } = opening
  return disputeLike({
    ...{ id, amount, status, metadata: { ...metadata }, payment_intent: paymentId, reason: 'fraudulent' },
    balance_transactions: [...booked],
    evidence: { ...evidence, ...(status.startsWith('appeal_') && { appeal: {} }) },
    evidence_details: {
      due_by: until === null ? 0 : Math.floor(until.getTime() / 1000),
      has_evidence: submissions > 0,
      past_due: false,
      submission_count: submissions,
      enhanced_eligibility: {},
    },
    payment_method_details: {
      type: 'card',
      card: { brand: 'visa', network: 'visa', case_type: caseType, network_reason_code: code },
    },
  })
}

const { webhooks } = new Stripe('sk_test_unused')

/** An event of Stripe, signed as its own package does. */
export function signedEvent(
  { id = newId('evt'), type, object }: DisputeEvent & { id?: string },
  secret: string,
): { headers: Record<string, string>; body: string } {
  const created = Math.floor(gatewayTime() / 1000)
  const body = JSON.stringify(eventLike({ id, type, created, data: { object } }))
  const signature = webhooks.generateTestHeaderString({ payload: body, secret, timestamp: created })
  return { headers: { 'content-type': 'application/json', 'stripe-signature': signature }, body }
}
