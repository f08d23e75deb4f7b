import { createHash } from 'node:crypto'
import type { DefendRequest, DocumentRequest } from '../../../contract/api/disputes/dispute-request.ts'
import type { DefencesResource } from '../../../contract/api/disputes/dispute-resource.ts'
import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { Bulkhead } from '../../platform/concurrency/fairness.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import { invalidField, notFound, ServiceError } from '../../platform/errors.ts'
import { addEvent } from '../../platform/events.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { TextVault } from '../../platform/vault/vault.ts'
import type { Cents } from '../../../contract/api/fields/amount.ts'
import type { Defence, Disputes, Gateway, News, ToldDispute } from '../gateways/gateway.ts'
import {
  changeBetween,
  defenceOf,
  defencesWith,
  faultOfDocument,
  NOTHING_TOLD,
  requireAnswerable,
  requireDocuments,
  stateOf,
  sumsOf,
  toldDisputeOf,
  wasSentBefore,
} from './dispute.ts'
import type { Answer, Dispute, DisputeSums, Happening } from './dispute.ts'
import {
  findChargeOf,
  findDispute,
  findOfCharge,
  findToRemind,
  hasNews,
  noteReminder,
  writeEntry,
} from './dispute-store.ts'
import { findContents, placeOfDocument, takeDocumentAway, writeDocument } from './document-store.ts'
import { writeAnswer } from './answer-store.ts'

/** The charge that is disputed, as far as a dispute has to know it. */
export interface DisputedCharge {
  id: string
  merchantId: string
  gatewayId: string
  gatewayType: string
  /** What is disputed of it where nobody tells. */
  whole: Cents
  currency: string
}

interface Account {
  merchantId: string
  gatewayId: string
}

export interface DisputesDeps {
  database: Database
  createId: CreateId
  textVault: TextVault
  adapterOf: (account: Account & { gatewayType: string }) => Promise<Gateway>
  /** The charge that a gateway's news is about; null if no charge has its payment. */
  chargeOfNews: (by: Account, news: News) => Promise<string | null>
  /** The charge, which nobody else changes the disputes of until the transaction ends; null if it is gone. */
  lockCharge: (queries: Queries, chargeId: string) => Promise<DisputedCharge | null>
  keepSums: (queries: Queries, chargeId: string, sums: DisputeSums) => Promise<void>
  bulkhead: Bulkhead
  /** Hears what the operator has to put right: an account or a file that can't be read. */
  onFault: (error: unknown) => void
  now: () => Date
}

type Heard = { chargeId: string | null } & (
  | { kind: 'done' }
  | { kind: 'waits'; why: string; otherwise: 'unexplained' }
)

/** Takes down what a gateway tells of a dispute. The same news may come any number of times, in any order. */
export async function hearDispute(
  deps: DisputesDeps,
  by: Account,
  news: News,
  told: ToldDispute,
): Promise<Heard> {
  const chargeId =
    (await deps.chargeOfNews(by, news)) ?? (await findChargeOf(deps.database, by.gatewayId, told.disputeId))
  if (chargeId === null) return { chargeId, ...UNKNOWN_PAYMENT }
  return deps.database.transaction(async (queries) => {
    const charge = await deps.lockCharge(queries, chargeId)
    if (charge === null || charge.gatewayId !== by.gatewayId) return { chargeId: null, ...UNKNOWN_PAYMENT }
    const dispute = toldDisputeOf(await findOfCharge(queries, chargeId), told, news)
    const id = dispute?.id ?? disputeIdOf(charge, told.disputeId)
    const newsKey = createHash('sha256').update(news.key).digest('hex')
    if (await hasNews(queries, id, newsKey)) return { kind: 'done', chargeId }
    const happening = happeningOf(news, told, charge.currency)
    await record(deps, queries, charge, dispute ?? newDispute(charge, id), {
      happening,
      newsKey,
      actor: 'gateway',
    })
    return { kind: 'done', chargeId }
  })
}

/** What is disputed in another currency than the charge's is not comparable: then nothing is said of the amount. */
function happeningOf({ at, amount, currency }: News, told: ToldDispute, ofCharge: string): Happening {
  const { disputeId: externalId, stage, status, funds, reason, respondBy, isDefensible, description } = told
  const said = { stage, status, funds, reason, respondBy, isDefensible, description }
  return { ...said, at, externalId, amount: currency === ofCharge ? amount : null }
}

const UNKNOWN_PAYMENT = {
  kind: 'waits',
  why: 'No charge of this gateway account has the disputed payment: another system may have made it.',
  otherwise: 'unexplained',
} as const

/** The same for the same dispute, so that it is opened once; it begins with the time of its charge. */
function disputeIdOf({ id, gatewayId }: DisputedCharge, disputeId: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([gatewayId, disputeId]))
    .digest('hex')
  return id.slice(0, 8) + hash.slice(0, 16)
}

type Unopened = Pick<
  Dispute,
  'id' | 'merchantId' | 'chargeId' | 'gatewayId' | 'gatewayType' | 'currency' | 'answer' | 'entries'
>

function newDispute(charge: DisputedCharge, id: string): Unopened {
  const { id: chargeId, merchantId, gatewayId, gatewayType, currency } = charge
  return { id, merchantId, chargeId, gatewayId, gatewayType, currency, answer: null, entries: [] }
}

interface ToRecord {
  happening: Happening
  newsKey: string
  actor: Actor
  /** The answer from now on; the same as before, where left out. */
  answer?: Answer
  isReminder?: boolean
}

/** Writes what happened, the charge's sums and the event, in the transaction that has locked the charge. */
export async function record(
  deps: DisputesDeps,
  queries: Queries,
  charge: Pick<DisputedCharge, 'id' | 'whole'>,
  dispute: Unopened | Dispute,
  { happening, newsKey, actor, answer, isReminder = false }: ToRecord,
): Promise<void> {
  const before = dispute.entries.map((entry) => entry.happening)
  const state = stateOf([...before, happening], charge.whole)
  const was = before.length === 0 ? null : stateOf(before, charge.whole)
  const change = isReminder ? 'evidence_due' : (changeBetween(was, state) ?? (answer ? 'updated' : null))
  const id = deps.createId()
  const entry = { id, newsKey, happening, change }
  await writeEntry(queries, { ...dispute, answer: answer ?? dispute.answer, state, entry })
  await deps.keepSums(queries, charge.id, sumsOf(await findOfCharge(queries, charge.id)))
  if (change === null) return
  const { status, stage, amount } = state
  await addEvent(queries, {
    id,
    merchantId: dispute.merchantId,
    type: `dispute.${change}`,
    subject: dispute.id,
    actor,
    facts: { charge: charge.id, status, stage, amount, currency: dispute.currency },
  })
}

/** A merchant's own dispute; throws `not_found`. */
export async function readDispute(deps: DisputesDeps, merchantId: string, id: string): Promise<Dispute> {
  const dispute = await findDispute(deps.database, id)
  if (dispute?.merchantId !== merchantId) throw notFound('dispute')
  return dispute
}

/** Who answers, and what. */
export interface Answering {
  merchantId: string
  userId: string | null
  disputeId: string
}

/** The merchant lets the card holder have the money; it is sent to the gateway within a second. Throws `unfulfilled_condition`. */
export async function acceptDispute(deps: DisputesDeps, who: Answering): Promise<Dispute> {
  const dispute = await readDispute(deps, who.merchantId, who.disputeId)
  await gatewayOf(deps, dispute, 'accept')
  const nothing = { defence: null, defenceDescription: null, statement: null }
  return keepAnswer(deps, dispute, { action: 'accept', ...nothing, userId: who.userId }, () => [])
}

/**
 * The merchant defends itself with the files that it has added; they are sent within a second. Throws `unfulfilled_condition`,
 * `validation_error` if the gateway has no such defence, takes no statement or the documents don't fit, `precondition_failed` where others
 * than those named would be sent, and `gateway_unavailable`.
 */
export async function defendDispute(
  deps: DisputesDeps,
  who: Answering,
  { defence: code, statement, documents: seen }: DefendRequest,
): Promise<Dispute> {
  const dispute = await readDispute(deps, who.merchantId, who.disputeId)
  const gateway = await gatewayOf(deps, dispute, 'defend')
  if (statement !== undefined && !gateway.takes.statement)
    throw invalidField('statement', 'is not taken by this gateway: put your words into one of the documents')
  const { defences } = await askDefences(deps, dispute, gateway)
  const defence = defenceOf(code, defences)
  const { description: defenceDescription } = defence
  const said = { defence: code, defenceDescription, statement: statement ?? null }
  return keepAnswer(deps, dispute, { action: 'defend', ...said, userId: who.userId }, ({ documents }) => {
    const sent = requireDocuments(defence, defences, documents)
    if (seen !== undefined && !isSameSet(seen, sent)) throw otherDocuments()
    return sent
  })
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  const known = new Set(some)
  return known.size === new Set([...some, ...others]).size && others.length === known.size
}

function otherDocuments(): ServiceError {
  return new ServiceError(
    'precondition_failed',
    'Other documents than those named would be sent: somebody has changed them. Nothing was sent; read the dispute again.',
  )
}

/** Keeps an answer to be sent, at the stage that it was given for. `documentsOf`: the ids of its documents, once no other change of the dispute can come between; may throw. */
async function keepAnswer(
  deps: DisputesDeps,
  { id, chargeId, stage }: Pick<Dispute, 'id' | 'chargeId' | 'stage'>,
  chosen: Pick<Answer, 'action' | 'defence' | 'defenceDescription' | 'statement' | 'userId'>,
  documentsOf: (dispute: Dispute) => readonly string[],
): Promise<Dispute> {
  return deps.database.transaction(async (queries) => {
    const dispute = await lockedDispute(deps, queries, { id, chargeId })
    requireAnswerable(dispute, chosen.action, true)
    if (dispute.stage !== stage) throw new ServiceError('unfulfilled_condition', HAS_GONE_ON)
    const documents = documentsOf(dispute)
    const at = deps.now()
    const kept = { ...chosen, documents, stage, at }
    const answer: Answer = { id: deps.createId(), ...kept, state: 'sending', message: null }
    await writeAnswer(queries, id, answer)
    return { ...dispute, answer, updatedAt: at }
  })
}

const HAS_GONE_ON =
  'The dispute has gone on to another stage meanwhile. Read it again: what it needs now may be something else.'

/** The dispute as it stands, which nobody else changes until the transaction ends; throws `not_found`. */
async function lockedDispute(
  deps: DisputesDeps,
  queries: Queries,
  { id, chargeId }: Pick<Dispute, 'id' | 'chargeId'>,
): Promise<Dispute> {
  await deps.lockCharge(queries, chargeId)
  const dispute = await findDispute(queries, id)
  if (dispute === null) throw notFound('dispute')
  return dispute
}

/**
 * What the gateway lets be done with the dispute. Throws `unfulfilled_condition` if the merchant can't answer it, and `gateway_unavailable`
 * where its account can't be read.
 */
async function gatewayOf(deps: DisputesDeps, dispute: Dispute, action: Answer['action']): Promise<Disputes> {
  const adapter = await deps.adapterOf(dispute).catch((error: unknown) => {
    deps.onFault(error)
    throw unavailable()
  })
  const disputes = adapter.disputes ?? null
  requireAnswerable(dispute, action, disputes !== null)
  if (disputes === null) throw new Error('a gateway without disputes can be answered')
  return disputes
}

/** Longer than any gateway takes to name its defences. */
const ASK_MS = 8000

/** The ways to defend a dispute, from the gateway itself. Throws `unfulfilled_condition` and `gateway_unavailable`. */
export async function readDefences(deps: DisputesDeps, dispute: Dispute): Promise<DefencesResource> {
  const gateway = await gatewayOf(deps, dispute, 'defend')
  const { defences } = await askDefences(deps, dispute, gateway)
  const { contentTypes, maxTotalBytes, statement } = gateway.takes
  return {
    defences: defencesWith(defences, dispute.documents),
    content_types: [...contentTypes],
    max_total_bytes: maxTotalBytes,
    takes_statement: statement,
  }
}

async function askDefences(
  { bulkhead }: DisputesDeps,
  { gatewayId, externalId, reason }: Dispute,
  gateway: Disputes,
): Promise<{ defences: readonly Defence[] }> {
  const leave = bulkhead.enter(gatewayId)
  if (leave === null) throw unavailable()
  try {
    const request = { disputeId: externalId, reason, signal: AbortSignal.timeout(ASK_MS) }
    const answer = await gateway.defencesOf(request)
    if (answer.kind === 'known') return answer
    if (answer.kind === 'unreachable') throw unavailable()
    throw new ServiceError('unfulfilled_condition', answer.message)
  } finally {
    leave()
  }
}

function unavailable(): ServiceError {
  return new ServiceError(
    'gateway_unavailable',
    'The gateway could not be asked. Nothing was changed: try again in a minute.',
    { retryAfter: 60 },
  )
}

/** Adds a file to a dispute, in place of one of the same type. Throws `validation_error` and `unfulfilled_condition`. */
export async function addDocument(
  deps: DisputesDeps,
  { merchantId, disputeId }: Answering,
  { type, name, content_type: contentType, content: base64 }: DocumentRequest,
): Promise<Dispute> {
  const { takes } = await gatewayOf(deps, await readDispute(deps, merchantId, disputeId), 'defend')
  const content = Buffer.from(base64, 'base64')
  const id = deps.createId()
  const sealed = await deps.textVault.seal(content.toString('base64'), placeOfDocument(id))
  return changeDocuments(deps, merchantId, disputeId, async (queries, dispute) => {
    const fault = faultOfDocument({ type, contentType, content }, dispute.documents, takes)
    if (fault !== null) throw invalidField(fault.path, fault.message)
    const before = dispute.documents.find((one) => one.type === type)
    if (before !== undefined) await takeAway(queries, dispute, before.id)
    await writeDocument(queries, dispute, { id, type, name, contentType, size: content.length }, sealed)
  })
}

/** Removes a file from a dispute. Throws `not_found` and `unfulfilled_condition`. */
export function dropDocument(
  deps: DisputesDeps,
  { merchantId, disputeId }: Answering,
  documentId: string,
): Promise<Dispute> {
  return changeDocuments(deps, merchantId, disputeId, async (queries, dispute) => {
    if (dispute.pastDocuments.some(({ id }) => id === documentId))
      throw new ServiceError(
        'unfulfilled_condition',
        'It was sent with an earlier answer, and is kept with that.',
      )
    if (dispute.documents.every(({ id }) => id !== documentId)) throw notFound('document')
    await takeAway(queries, dispute, documentId)
  })
}

/** What was sent at an earlier stage stays as a part of that answer. */
function takeAway(queries: Queries, dispute: Dispute, id: string): Promise<void> {
  return takeDocumentAway(queries, dispute.id, { id, isKept: wasSentBefore(dispute, id) })
}

/** Changes the files of a dispute that can still be defended, one change after the other. */
async function changeDocuments(
  deps: DisputesDeps,
  merchantId: string,
  disputeId: string,
  change: (queries: Queries, dispute: Dispute) => Promise<void>,
): Promise<Dispute> {
  const found = await readDispute(deps, merchantId, disputeId)
  return deps.database.transaction(async (queries) => {
    const dispute = await lockedDispute(deps, queries, found)
    requireAnswerable(dispute, 'defend', true)
    await change(queries, dispute)
    return (await findDispute(queries, disputeId)) ?? dispute
  })
}

/** A file of a dispute, with its content. Throws `not_found`. */
export async function readDocument(
  deps: DisputesDeps,
  dispute: Dispute,
  documentId: string,
): Promise<{ name: string; content: Buffer }> {
  const kept = [...dispute.documents, ...dispute.pastDocuments].find(({ id }) => id === documentId)
  const sealed = (await findContents(deps.database, dispute.id, [documentId])).get(documentId)
  if (kept === undefined || sealed === undefined) throw notFound('document')
  return { name: kept.name, content: await openDocument(deps, documentId, sealed) }
}

type Sealed = Parameters<TextVault['open']>[0]

/** The content of a file. */
export async function openDocument({ textVault }: DisputesDeps, id: string, sealed: Sealed): Promise<Buffer> {
  return Buffer.from(await textVault.open(sealed, placeOfDocument(id)), 'base64')
}

/** Reminds merchants of the deadlines that come. Throws the first fault, after all others were reminded. */
export async function remindAll(deps: DisputesDeps): Promise<void> {
  const faults: unknown[] = []
  for (const due of await findToRemind(deps.database))
    await remind(deps, due).catch((error: unknown) => faults.push(error))
  if (faults.length > 0) throw faults[0]
}

/** Reminds a merchant of a dispute's deadline, once for each deadline. */
async function remind(
  deps: DisputesDeps,
  { id, charge_id: chargeId }: { id: string; charge_id: string },
): Promise<void> {
  await deps.database.transaction(async (queries) => {
    const charge = await deps.lockCharge(queries, chargeId)
    const dispute = await findDispute(queries, id)
    if (charge === null || dispute === null) return
    const { status, respondBy, stage, externalId } = dispute
    if (status === 'needs_response' && respondBy !== null && !dispute.isOverdue) {
      const newsKey = `reminder ${respondBy.toISOString()}`
      const description = 'An answer is due soon'
      const happening = { ...NOTHING_TOLD, at: deps.now(), stage, externalId, description }
      if (!(await hasNews(queries, id, newsKey)))
        await record(deps, queries, charge, dispute, {
          happening,
          newsKey,
          actor: 'service',
          isReminder: true,
        })
    }
    await noteReminder(queries, id)
  })
}
