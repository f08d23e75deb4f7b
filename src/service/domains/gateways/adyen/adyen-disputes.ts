import * as v from 'valibot'
import type { DisputeStage, DisputeStatus } from '../../../../contract/api/disputes/dispute-resource.ts'
import { withoutSensitive, withoutSensitiveInStartOf } from '../../../platform/secrets/secret-in-text.ts'
import type { Defence, DisputeAnswer, Disputes, EvidenceFile, News, ToldDispute } from '../gateway.ts'
import { schemeReasonOf } from '../scheme-reasons.ts'
import { exchangeWithAdyen, shownWords } from './checkout-api.ts'
import type { AdyenApi, Reply } from './checkout-api.ts'

/** What Adyen tells of a dispute, as far as it is read. */
interface DisputeItem {
  eventCode: string
  /** The id of the dispute: the same in all events of it. */
  pspReference: string
  paymentMethod: string
  /** In the words of the issuer or the scheme. */
  reason: string
  additionalData?: object | null | undefined
}

/** Texts, whatever the type in which they come; absent, null and empty are the same. */
const told = v.optional(
  v.pipe(
    v.nullable(v.union([v.string(), v.number(), v.boolean()])),
    v.transform((value) => String(value ?? '').trim()),
  ),
  '',
)
const DisputeFacts = v.object({
  autoDefended: told,
  chargebackReasonCode: told,
  chargebackSchemeCode: told,
  defendable: told,
  defensePeriodEndsAt: told,
  disputeStatus: told,
  rfiReasonCode: told,
  rfiSchemeCode: told,
  'issuerComments.explanation': told,
  'issuerComments.type': told,
})
type DisputeFacts = v.InferOutput<typeof DisputeFacts>

/** Where an event leaves a dispute, unless the event itself says otherwise. `stage`: null if an event is sent at several stages. */
interface Step {
  stage: DisputeStage | null
  status: DisputeStatus | null
  funds: ToldDispute['funds']
  description: string
}

const step = (
  stage: Step['stage'],
  status: Step['status'],
  description: string,
  funds: Step['funds'] = null,
): Step => ({ stage, status, description, funds })

/**
 * Adyen's events of disputes (docs.adyen.com, "Dispute webhooks"). What ends a dispute says where the money is, however it got there. A
 * reversed chargeback has given the money back, and is not the end: the issuer may come once more.
 */
const STEPS: Readonly<Record<string, Step>> = {
  REQUEST_FOR_INFORMATION: step('inquiry', 'needs_response', 'The issuer asks about the payment'),
  NOTIFICATION_OF_CHARGEBACK: step('chargeback', 'needs_response', 'The card holder disputes the payment'),
  CHARGEBACK: step('chargeback', 'needs_response', 'Charged back', 'withdrawn'),
  INFORMATION_SUPPLIED: step(null, 'under_review', 'The defence was sent to the issuer'),
  CHARGEBACK_REVERSED: step('chargeback', 'under_review', 'The chargeback was reversed', 'returned'),
  ISSUER_COMMENTS: step(null, null, 'The issuer comments'),
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: step(
    'chargeback',
    'won',
    'The issuer accepted the defence, or did not answer in time',
    'returned',
  ),
  DISPUTE_DEFENSE_PERIOD_ENDED: step(null, 'lost', 'The time to defend it is over'),
  SECOND_CHARGEBACK: step(
    'second_chargeback',
    'lost',
    'The issuer declined the defence, and charged back again',
    'withdrawn',
  ),
  PREARBITRATION_OPEN: step('second_chargeback', 'needs_response', 'The issuer opened a pre-arbitration'),
  PREARBITRATION_ACCEPTED: step(
    'second_chargeback',
    'accepted',
    'The pre-arbitration was accepted',
    'withdrawn',
  ),
  PREARBITRATION_DECLINED: step('second_chargeback', 'under_review', 'The pre-arbitration was declined'),
  PREARBITRATION_ISSUER_WITHDRAWN: step(
    'second_chargeback',
    'won',
    'The issuer withdrew the pre-arbitration',
    'returned',
  ),
  PREARBITRATION_WON: step('second_chargeback', 'won', 'The issuer accepted the pre-arbitration', 'returned'),
  PREARBITRATION_LOST: step(
    'second_chargeback',
    'lost',
    'The issuer declined the pre-arbitration',
    'withdrawn',
  ),
  SCHEME_ARBITRATION: step('second_chargeback', 'under_review', 'The issuer asked the scheme to decide'),
  SCHEME_ARBITRATION_WON: step('second_chargeback', 'won', 'The scheme decided for the merchant', 'returned'),
  SCHEME_ARBITRATION_LOST: step(
    'second_chargeback',
    'lost',
    'The scheme decided for the card holder',
    'withdrawn',
  ),
}

/** The names of these events. */
export const DISPUTE_EVENTS: readonly string[] = Object.keys(STEPS)

/** What an event's `disputeStatus` says; it counts more than the event itself. */
const STATUSES: ReadonlyMap<string, DisputeStatus> = new Map([
  ['Unresponded', 'needs_response'],
  ['Undefended', 'needs_response'],
  ['Responded', 'under_review'],
  ['Pending', 'under_review'],
  ['Expired', 'lost'],
  ['Lost', 'lost'],
  ['Accepted', 'accepted'],
  ['Won', 'won'],
])

/** What an event of a dispute says; null of any other event. */
export function toToldDispute(item: DisputeItem): ToldDispute | null {
  const known = Object.hasOwn(STEPS, item.eventCode) ? STEPS[item.eventCode] : undefined
  if (known === undefined) return null
  const facts = factsOf(item)
  const stage = known.stage ?? stageOf(facts)
  // By itself the event of a reversal does not end the dispute, nor does what the issuer says beside it.
  const isAutoDefended = facts.autoDefended === 'true' && known.status === 'needs_response'
  const status = STATUSES.get(facts.disputeStatus) ?? (isAutoDefended ? 'under_review' : known.status)
  return {
    kind: 'dispute',
    disputeId: item.pspReference,
    stage,
    status: item.eventCode === 'ISSUER_COMMENTS' ? null : status,
    funds: known.funds,
    reason: reasonOf(item, facts),
    respondBy: dateOf(facts.defensePeriodEndsAt),
    isDefensible: facts.defendable === '' ? null : facts.defendable === 'true',
    description: descriptionOf(known.description, facts, isAutoDefended),
  }
}

function factsOf({ additionalData }: DisputeItem): DisputeFacts {
  const parsed = v.safeParse(DisputeFacts, additionalData ?? {})
  return parsed.success ? parsed.output : v.parse(DisputeFacts, {})
}

/** The stage of an event that is sent at several: what the issuer asks has a reason code of its own. */
function stageOf(facts: DisputeFacts): DisputeStage {
  if (/pre-?arbitration/i.test(facts['issuerComments.type'])) return 'second_chargeback'
  const isInquiry = facts.chargebackReasonCode === '' && facts.rfiReasonCode !== ''
  return isInquiry || facts.disputeStatus === 'Responded' ? 'inquiry' : 'chargeback'
}

function reasonOf({ reason, paymentMethod }: DisputeItem, facts: DisputeFacts): ToldDispute['reason'] {
  const code = facts.chargebackReasonCode || facts.rfiReasonCode
  const scheme = facts.chargebackSchemeCode || facts.rfiSchemeCode || paymentMethod
  const known = schemeReasonOf(scheme, code)
  if (known !== null) return { ...known, code: withoutSensitive(code) }
  const words = shownWords(reason)
  if (code === '' && words === '') return null
  return {
    category: 'other',
    code: code === '' ? null : withoutSensitive(code),
    description: words === '' ? 'The gateway gives no reason.' : words,
  }
}

/** A time as Adyen writes it, from the year 1000 to 9999; null of any other text. */
export function dateOf(text: string): Date | null {
  const date = new Date(text)
  return /^\d{4}-/.test(text) && !Number.isNaN(date.getTime()) ? date : null
}

const LONGEST_COMMENT = 500

function descriptionOf(words: string, facts: DisputeFacts, isAutoDefended: boolean): string {
  if (isAutoDefended) return `${words}; Adyen has defended it by itself`
  const comment = facts['issuerComments.explanation']
  return comment === '' ? words : `${words}: ${withoutSensitiveInStartOf(comment, LONGEST_COMMENT)}`
}

/**
 * Adyen passes on that an issuer suspects fraud (TC40 of Visa, SAFE of Mastercard). No dispute opens by it, but one may follow. A sentence
 * for people.
 */
export function fraudWarningOf(item: DisputeItem): News['says'] {
  const words = shownWords(item.reason)
  const said = words === '' ? '' : ` ("${words}")`
  return {
    kind: 'warning',
    why: `The card's issuer reports this payment as fraud${said}. No dispute is open yet. If it looks like fraud to you, refund it and hold back the goods: that spares you the chargeback.`,
  }
}

/** The address of the Disputes API that goes with an account's Checkout API: one for tests, one for all live accounts. */
function disputesUrlOf(checkoutUrl: string): string {
  const { hostname, origin } = new URL(checkoutUrl)
  const server =
    hostname === 'checkout-test.adyen.com'
      ? 'https://ca-test.adyen.com'
      : hostname.endsWith('.adyenpayments.com')
        ? 'https://ca-live.adyen.com'
        : origin
  return `${server}/ca/services/DisputeService/v30`
}

/** What Adyen takes of the files of one dispute: for Diners and Discover 3 MB, for other cards more (docs.adyen.com, "Defense requirements"). */
const TAKES: Disputes['takes'] = {
  contentTypes: ['application/pdf', 'image/jpeg'],
  maxTotalBytes: 10_000_000,
  statement: false,
}

/**
 * Disputes by Adyen's Disputes API, v30. It knows no idempotency keys, and can't be asked how a dispute stands. So what got no answer is
 * sent again: a document takes the place of the one before, and what Adyen says to have carried out already has been taken.
 */
export function adyenDisputes(api: AdyenApi): Disputes {
  return {
    takes: TAKES,
    defencesOf: (request) => readDefences(api, request),
    accept: async (request) => answerOf(await ask(api, 'acceptDispute', request), ACCEPTED_BEFORE),
    defend: (request) => defend(api, request),
  }
}

/** That it was done, and not that something else was and forbids it: "already accepted, and can't be defended". */
const ACCEPTED_BEFORE = /\balready (?:been )?accepted\b|\baccepted already\b/i
const DEFENDED_BEFORE = /\balready (?:been )?(?:defended|responded)\b|\b(?:defended|responded) already\b/i

type Defending = Parameters<Disputes['defend']>[0]

async function defend(
  api: AdyenApi,
  { disputeId, signal, defence, statement, documents }: Defending,
): Promise<DisputeAnswer> {
  if (statement !== null && statement.trim() !== '') return NO_STATEMENT
  // One by one: all of them together may be more than one request can have.
  for (const file of documents) {
    const more = { defenseDocuments: [toDocument(file)] }
    const supplied = await ask(api, 'supplyDefenseDocument', { disputeId, signal, more })
    if (supplied.kind !== 'done') return answerOf(supplied, DEFENDED_BEFORE)
  }
  const more = { defenseReasonCode: defence }
  return answerOf(await ask(api, 'defendDispute', { disputeId, signal, more }), DEFENDED_BEFORE)
}

const NO_STATEMENT: DisputeAnswer = {
  kind: 'refused',
  message: 'Adyen takes files alone. Put the statement into one of the documents, and leave it out here.',
}

function toDocument({ type, contentType, content }: EvidenceFile): object {
  return {
    defenseDocumentTypeCode: type,
    // Adyen has a name of its own for it.
    contentType: contentType === 'image/jpeg' ? 'image/jpg' : contentType,
    content: content.toString('base64'),
  }
}

/** What came back; `done`: Adyen has done what it was asked for. */
type Asked = { kind: 'done'; body: unknown } | Exclude<DisputeAnswer, { kind: 'taken' }>

/** `already`: the words by which Adyen says that it was done before. */
function answerOf(asked: Asked, already: RegExp): DisputeAnswer {
  if (asked.kind === 'done') return { kind: 'taken' }
  return asked.kind === 'refused' && already.test(asked.message) ? { kind: 'taken' } : asked
}

async function ask(
  api: AdyenApi,
  operation: string,
  { disputeId, signal, more = {} }: { disputeId: string; signal: AbortSignal; more?: object },
): Promise<Asked> {
  const { base_url: checkoutUrl, merchant_account: merchantAccountCode } = api.account
  const body = { ...more, disputePspReference: disputeId, merchantAccountCode }
  const url = `${disputesUrlOf(checkoutUrl)}/${operation}`
  return toAsked(await exchangeWithAdyen(api, { url, body }, signal))
}

const Result = v.object({
  disputeServiceResult: v.object({ success: v.boolean(), errorMessage: v.optional(v.string(), '') }),
})

/** By HTTP 200 Adyen refuses, too. */
function toAsked(reply: Reply): Asked {
  if (reply.kind === 'forbidden') return { kind: 'refused', message: notLetIn(reply.status) }
  if (reply.kind === 'refused') return refusal(reply.message)
  if (reply.kind !== 'answered') return { kind: reply.kind }
  const result = v.safeParse(Result, reply.body)
  if (!result.success) return { kind: 'unknown' }
  const { success, errorMessage } = result.output.disputeServiceResult
  return success ? { kind: 'done', body: reply.body } : refusal(shownWords(errorMessage))
}

const LONGEST_WORDS = 500

function refusal(words: string): Asked {
  return {
    kind: 'refused',
    message:
      words === ''
        ? "Adyen does not take this, and does not say why. See the dispute in Adyen's Customer Area."
        : withoutSensitiveInStartOf(words, LONGEST_WORDS),
  }
}

function notLetIn(status: number): string {
  return `Adyen does not let this API key answer disputes (HTTP ${status}). In Adyen's Customer Area give it the role "API dispute management", or answer the dispute there.`
}

const DefenceReasons = v.object({
  defenseReasons: v.optional(
    v.array(
      v.object({
        defenseReasonCode: v.string(),
        defenseDocumentTypes: v.optional(
          v.array(v.object({ defenseDocumentTypeCode: v.string(), requirementLevel: v.string() })),
          [],
        ),
      }),
    ),
    [],
  ),
})

async function readDefences(
  api: AdyenApi,
  request: { disputeId: string; signal: AbortSignal },
): ReturnType<Disputes['defencesOf']> {
  const asked = await ask(api, 'retrieveApplicableDefenseReasons', request)
  if (asked.kind === 'refused') return asked
  const reasons = asked.kind === 'done' ? v.safeParse(DefenceReasons, asked.body) : null
  if (reasons === null || !reasons.success) return { kind: 'unreachable' }
  return { kind: 'known', defences: reasons.output.defenseReasons.map(toDefence) }
}

type DefenceReason = v.InferOutput<typeof DefenceReasons>['defenseReasons'][number]

function toDefence({ defenseReasonCode: code, defenseDocumentTypes: types }: DefenceReason): Defence {
  return {
    code,
    description: codeInWords(code),
    documents: types.map(({ defenseDocumentTypeCode: type, requirementLevel: level }) => ({
      type,
      description: codeInWords(type),
      requirement: REQUIREMENTS.get(level) ?? 'optional',
    })),
  }
}

/** A document that Adyen takes in place of required ones (`AlternativeRequired`) is optional. */
const REQUIREMENTS: ReadonlyMap<string, Defence['documents'][number]['requirement']> = new Map([
  ['Required', 'required'],
  ['OneOrMore', 'one_or_more'],
  ['Optional', 'optional'],
])

/** Codes that don't read by themselves. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['AVSAndCVC', 'Results of the address and security code checks'],
  ['DefenseMaterial', 'Documents that prove the case'],
  ['SupplyDefenseMaterial', 'Any other defence'],
  ['TIDorInvoice', 'Receipt or invoice of the payment'],
])

/** `GoodsNotReturned` as "Goods not returned". */
function codeInWords(code: string): string {
  const words = code
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/ [A-Z](?=[a-z])/g, (at) => at.toLowerCase())
  return WORDS.get(code) ?? withoutSensitive(words)
}
