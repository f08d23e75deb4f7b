import type { Cents } from '../../../contract/api/fields/amount.ts'
import {
  DISPUTE_STAGES,
  EVIDENCE_TYPE_NAMES,
  MAX_EVIDENCE_BYTES,
  MAX_EVIDENCE_FILES,
} from '../../../contract/api/disputes/dispute-resource.ts'
import type {
  DefencesResource,
  DisputeChange,
  DisputeResource,
  DisputeStage,
  DisputeStatus,
  EvidenceType,
} from '../../../contract/api/disputes/dispute-resource.ts'
import { invalidField, ServiceError } from '../../platform/errors.ts'
import type { Defence, News, ToldDispute } from '../gateways/gateway.ts'

/** What was told of a dispute, or done about it, at one time. Null: it says nothing of that. */
export interface Happening extends Omit<ToldDispute, 'kind' | 'disputeId'> {
  at: Date
  /** The gateway's id of the dispute at that stage. */
  externalId: string
  amount: Cents | null
}

/** Where a dispute stands, by all that happened. */
export type DisputeState = {
  [Field in 'stage' | 'externalId' | 'description']: Happening[Field]
} & {
  status: DisputeStatus
  amount: Cents
  areFundsWithdrawn: boolean
  reason: NonNullable<Happening['reason']>
  respondBy: Date | null
  isDefensible: boolean
}

const UNKNOWN_REASON: DisputeState['reason'] = {
  category: 'other',
  code: null,
  description: 'The gateway gives no reason.',
}

/** Of a happening that changes nothing of the dispute; where it stands is added. */
export const NOTHING_TOLD = {
  status: null,
  funds: null,
  amount: null,
  reason: null,
  respondBy: null,
  isDefensible: null,
} as const

/**
 * The state that follows from what happened, in whatever order it was heard of: the latest stage counts; within it a status goes only
 * forwards, and what the merchant has accepted is not lost once more. Of all else the latest word counts. `whole`: what is disputed where
 * nobody tells.
 */
export function stateOf(happenings: readonly Happening[], whole: Cents): DisputeState {
  const inTime = happenings.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  const stage = DISPUTE_STAGES.findLast((one) => inTime.some((it) => it.stage === one)) ?? 'chargeback'
  const ofStage = inTime.filter((one) => one.stage === stage)
  const latest = <Field extends keyof Happening>(field: Field, of = inTime) =>
    of.findLast((one) => one[field] !== null)?.[field] ?? null
  return {
    stage,
    status: statusOf(ofStage),
    amount: latest('amount') ?? whole,
    areFundsWithdrawn: fundsAfter(inTime) === 'withdrawn',
    reason: latest('reason') ?? UNKNOWN_REASON,
    respondBy: latest('respondBy', ofStage),
    isDefensible: latest('isDefensible', ofStage) ?? true,
    externalId: latest('externalId', ofStage) ?? '',
    description: latest('description', ofStage) ?? '',
  }
}

/** How far a status is on its way; of the last ones none leads to another. */
const RANKS: Readonly<Record<DisputeStatus, number>> = {
  needs_response: 0,
  under_review: 1,
  lost: 2,
  won: 2,
  accepted: 3,
}

function statusOf(ofStage: readonly Happening[]): DisputeStatus {
  let status: DisputeStatus = 'needs_response'
  for (const one of ofStage)
    if (one.status !== null && RANKS[one.status] >= RANKS[status]) status = one.status
  return status
}

/** Of what is told at the same moment the last word is that it was given back: gateways take before they give. */
function fundsAfter(inTime: readonly Happening[]): Happening['funds'] {
  let funds: Happening['funds'] = null
  let at = 0
  for (const one of inTime) {
    if (one.funds === null || (funds === 'returned' && one.at.getTime() === at)) continue
    funds = one.funds
    at = one.at.getTime()
  }
  return funds
}

export function isClosed({ status }: Pick<DisputeState, 'status'>): boolean {
  return status === 'won' || status === 'lost' || status === 'accepted'
}

/** What a merchant is told that has changed; null if nothing has. `before`: null of a dispute that is new. */
export function changeBetween(before: DisputeState | null, after: DisputeState): DisputeChange | null {
  if (before === null) return isClosed(after) ? changeTo(after) : 'opened'
  if (after.stage !== before.stage) return isClosed(after) ? changeTo(after) : 'reopened'
  if (after.status !== before.status) return changeTo(after)
  return isSame(before, after) ? null : 'updated'
}

function changeTo({ status }: DisputeState): DisputeChange {
  return status === 'needs_response' ? 'updated' : status
}

function isSame(before: DisputeState, after: DisputeState): boolean {
  const shown = (state: DisputeState) => JSON.stringify({ ...state, description: '', externalId: '' })
  return shown(before) === shown(after)
}

/** What a merchant answered, and how far it has got. */
export interface Answer {
  /** The same however often it is sent. */
  id: string
  action: 'accept' | 'defend'
  stage: DisputeStage
  /** The code of the defence that was chosen, and how the gateway described it; null when it was accepted. */
  defence: string | null
  defenceDescription: string | null
  statement: string | null
  /** The ids of the documents that are sent: those of its defence. */
  documents: readonly string[]
  state: 'sending' | 'sent' | 'refused'
  message: string | null
  at: Date
  userId: string | null
}

/** One entry of a dispute's history: what happened, what changed by it, where it led, and the answer that there was then. */
export interface Entry {
  /** Of the event, where one was written. */
  id: string
  happening: Happening
  change: DisputeChange | null
  status: DisputeStatus
  stage: DisputeStage
  answer: Answer | null
  at: Date
}

/** A file of a dispute, without its content. */
export interface KeptDocument {
  id: string
  type: string
  name: string
  contentType: EvidenceType
  size: number
  createdAt: Date
}

export interface Dispute extends DisputeState {
  id: string
  merchantId: string
  chargeId: string
  gatewayId: string
  gatewayType: string
  currency: string
  answer: Answer | null
  /** Those that can be sent with an answer now. */
  documents: readonly KeptDocument[]
  /** Those that were sent at an earlier stage and taken away since. */
  pastDocuments: readonly KeptDocument[]
  /** In the order in which they were written. */
  entries: readonly Entry[]
  /** By the database's clock. */
  isOverdue: boolean
  createdAt: Date
  updatedAt: Date
}

/**
 * Which of a charge's disputes is told of; null if it is a new one. At some gateways the second stage has an id of its own: then it goes on
 * from the newest dispute of that amount, or else the newest. If it was heard of first, what is older joins it.
 */
export function toldDisputeOf<Known extends Pick<Dispute, 'amount' | 'entries'>>(
  disputes: readonly Known[],
  { disputeId, stage }: Pick<ToldDispute, 'disputeId' | 'stage'>,
  { at, amount }: Pick<News, 'at' | 'amount'>,
): Known | null {
  const known = disputes.find(({ entries }) =>
    entries.some(({ happening }) => happening.externalId === disputeId),
  )
  if (known !== undefined) return known
  if (stage === 'second_chargeback')
    return disputes.findLast((one) => one.amount === amount) ?? disputes.at(-1) ?? null
  const isLater = ({ happening }: Entry) => happening.stage === 'second_chargeback' && happening.at > at
  return disputes.find(({ entries }) => entries.every(isLater)) ?? null
}

/** What ends an answer that its gateway had not confirmed when the dispute went on. */
export const WENT_ON = 'The dispute went on before the gateway had confirmed the answer.'

/** The last answer at each stage before the present one, oldest first. */
export function earlierAnswersOf({
  stage,
  answer,
  entries,
}: Pick<Dispute, 'stage' | 'answer' | 'entries'>): readonly Answer[] {
  const answers = [...entries.map((entry) => entry.answer), answer].filter((one) => one !== null)
  return DISPUTE_STAGES.slice(0, DISPUTE_STAGES.indexOf(stage)).flatMap((earlier) => {
    const last = answers.findLast((one) => one.stage === earlier)
    if (last === undefined) return []
    // Nobody asks about it any more, once there is another answer.
    const isLeft = last.state === 'sending' && last.id !== answer?.id
    return [isLeft ? { ...last, state: 'refused' as const, message: WENT_ON } : last]
  })
}

/** Whether a document was sent at an earlier stage: then it is kept as it was. */
export function wasSentBefore(dispute: Pick<Dispute, 'stage' | 'answer' | 'entries'>, id: string): boolean {
  return earlierAnswersOf(dispute).some(({ documents }) => documents.includes(id))
}

/** What the merchant can do now. `canAnswer`: its gateway lets disputes be answered here. */
export function actionsOf(dispute: Dispute, canAnswer: boolean): DisputeResource['actions'] {
  if (!canAnswer || refusalOf(dispute) !== null) return []
  return dispute.isDefensible ? ['accept', 'defend'] : ['accept']
}

/** Throws `unfulfilled_condition`, in words, unless the merchant can answer. */
export function requireAnswerable(dispute: Dispute, action: Answer['action'], canAnswer: boolean): void {
  const why = refusalOf(dispute) ?? (canAnswer ? null : ELSEWHERE)
  const isHopeless = action === 'defend' && !dispute.isDefensible
  if (why !== null || isHopeless)
    throw new ServiceError('unfulfilled_condition', why ?? 'This dispute can only be accepted.')
}

const ELSEWHERE = 'This gateway takes no answers from here. Answer the dispute at the gateway itself.'

/** Why a dispute takes no answer now; null if it does. */
function refusalOf({ status, stage, answer, isOverdue }: Dispute): string | null {
  if (status === 'under_review')
    return 'The dispute is under review: it was answered already, and takes one answer. Nothing more was sent.'
  if (status !== 'needs_response')
    return `The dispute is ${status}, and takes no answer any more. Nothing was sent.`
  if (answer?.state === 'sending' && answer.stage === stage)
    return 'Your team has answered this dispute already, and that answer is on its way to the gateway. Nothing more was sent: read the dispute to see what was answered.'
  return isOverdue ? 'The time to answer this dispute is over.' : null
}

/** The defences of a dispute, each with what is still missing. */
export function defencesWith(
  defences: readonly Defence[],
  added: readonly Pick<KeptDocument, 'type'>[],
): DefencesResource['defences'] {
  const types = new Set(added.map(({ type }) => type))
  return defences.map(({ code, description, documents }) => ({
    code,
    description,
    documents: documents.map((one) => ({ ...one, is_added: types.has(one.type) })),
    is_ready: missingOf({ documents }, types).length === 0,
  }))
}

/** The documents that a defence still needs; where one of several will do, all of those. */
function missingOf(
  { documents }: Pick<Defence, 'documents'>,
  types: ReadonlySet<string>,
): readonly Defence['documents'][number][] {
  const eithers = documents.filter(({ requirement }) => requirement === 'one_or_more')
  const hasOne = eithers.some(({ type }) => types.has(type))
  const required = documents.filter(({ requirement, type }) => requirement === 'required' && !types.has(type))
  return hasOne ? required : [...required, ...eithers]
}

/** The defence of a code; throws `validation_error` if it is not offered. */
export function defenceOf(code: string, defences: readonly Defence[]): Defence {
  const defence = defences.find((one) => one.code === code)
  if (defence !== undefined) return defence
  const codes = defences.map((one) => one.code).join(', ')
  throw invalidField('defence', codes === '' ? 'the gateway offers none' : `must be one of: ${codes}`)
}

/**
 * The ids of the documents that are sent with a defence: what was added for another one is not, as gateways refuse it. Throws
 * `validation_error` unless all are there that it needs, and each is one that some defence takes.
 */
export function requireDocuments(
  defence: Defence,
  defences: readonly Defence[],
  added: readonly Pick<KeptDocument, 'id' | 'type' | 'name'>[],
): readonly string[] {
  const types = new Set(added.map(({ type }) => type))
  const missing = missingOf(defence, types)
  if (missing.length > 0)
    throw invalidField('defence', `needs documents first: ${missing.map(({ type }) => type).join(', ')}`)
  const known = new Set(defences.flatMap(({ documents }) => documents.map(({ type }) => type)))
  const strange = added.filter(({ type }) => !known.has(type)).map(({ name, type }) => `${name} (${type})`)
  if (strange.length > 0)
    throw invalidField(
      'defence',
      `can't be sent while there are documents of types that no defence takes: remove ${strange.join(', ')}`,
    )
  const isTaken = new Set(defence.documents.map(({ type }) => type))
  return added.filter(({ type }) => isTaken.has(type)).map(({ id }) => id)
}

/** What files a gateway takes. */
export interface Takes {
  contentTypes: readonly EvidenceType[]
  maxTotalBytes: number
}

/** What is wrong with a file that is to be added, by the field that says it; null if nothing. A file takes the place of one of its type. */
export function faultOfDocument(
  file: { type: string; contentType: EvidenceType; content: Buffer },
  kept: readonly KeptDocument[],
  { contentTypes, maxTotalBytes }: Takes,
): { path: string; message: string } | null {
  const others = kept.filter(({ type }) => type !== file.type)
  const total = others.reduce((sum, { size }) => sum + size, file.content.length)
  if (!contentTypes.includes(file.contentType)) {
    const names = contentTypes.map((one) => EVIDENCE_TYPE_NAMES[one]).join(' or ')
    return { path: 'content_type', message: `must be ${names}: this gateway takes no other files` }
  }
  if (file.content.length > MAX_EVIDENCE_BYTES)
    return { path: 'content', message: `is too large: a file may have ${String(MAX_EVIDENCE_BYTES)} bytes` }
  if (!looksLike(file.contentType, file.content))
    return {
      path: 'content',
      message: `is no whole ${EVIDENCE_TYPE_NAMES[file.contentType]} file. Save it again, and add that`,
    }
  if (others.length >= MAX_EVIDENCE_FILES)
    return {
      path: 'type',
      message: `one dispute takes ${String(MAX_EVIDENCE_FILES)} files. Remove one first`,
    }
  if (total > maxTotalBytes)
    return {
      path: 'content',
      message: `is too large: all files of a dispute may have ${String(maxTotalBytes)} bytes together`,
    }
  return null
}

/** How files of each kind begin and end: what is cut off or named wrongly would be refused by the issuer, weeks later. */
const ENDS: Readonly<Record<EvidenceType, { begins: Buffer; ends: Buffer }>> = {
  'application/pdf': { begins: Buffer.from('%PDF-'), ends: Buffer.from('%%EOF') },
  'image/jpeg': { begins: Buffer.from([0xff, 0xd8, 0xff]), ends: Buffer.from([0xff, 0xd9]) },
  'image/png': {
    begins: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ends: Buffer.from('IEND'),
  },
}

/** Bytes at a file's end among which its last mark stands; writers add line breaks and checksums. */
const TAIL_BYTES = 1024

function looksLike(type: EvidenceType, content: Buffer): boolean {
  const { begins, ends } = ENDS[type]
  const tail = content.subarray(Math.max(begins.length, content.length - TAIL_BYTES))
  return content.subarray(0, begins.length).equals(begins) && tail.includes(ends)
}

/** How much of a charge is disputed, won disputes aside, and how much of it was charged back; in cents. */
export interface DisputeSums {
  disputed: number
  chargedBack: number
}

export function sumsOf(
  disputes: readonly Pick<DisputeState, 'status' | 'amount' | 'areFundsWithdrawn'>[],
): DisputeSums {
  const sum = (counted: typeof disputes) => counted.reduce((total, { amount }) => total + amount, 0)
  return {
    disputed: sum(disputes.filter(({ status }) => status !== 'won')),
    chargedBack: sum(disputes.filter(({ areFundsWithdrawn }) => areFundsWithdrawn)),
  }
}

const DAY_MS = 86_400_000
/** So long before its deadline the merchant is reminded of a dispute. */
const REMIND_MS = 3 * DAY_MS

/** When the merchant is reminded; null if there is nothing to answer, or no deadline. */
export function remindAt({ status, respondBy }: Pick<DisputeState, 'status' | 'respondBy'>): Date | null {
  return status === 'needs_response' && respondBy !== null ? new Date(respondBy.getTime() - REMIND_MS) : null
}
