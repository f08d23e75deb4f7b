import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { DoubleAnswer } from '../../testing/double-faults.ts'
import { gatewayTime } from '../../testing/double-server.ts'
import { toldOf } from './double-ledger.ts'
import type { DoubleLedger, DoublePayment } from './double-ledger.ts'

/** How a dispute begins, unless it is one of fraud by Visa of the whole payment. */
interface Opening {
  value?: number
  scheme?: string
  code?: string
  /** The issuer only asks. */
  isInquiry?: boolean
  isDefensible?: boolean
  /** Until when it can be answered. */
  until?: Date
}

/** What issuer and scheme may do next. */
export type Ruling = 'won' | 'lost' | 'expired' | 'goes to pre-arbitration' | 'is charged back'

/** The double's disputes, and what each request does to them; it tells of them as of payments. */
export interface DisputeLedger {
  apply: (path: string, body: unknown) => DoubleAnswer
  /** Has the holder of the card dispute the payment under a reference; the dispute's id. */
  open: (reference: string, opening?: Opening) => string
  rule: (id: string, ruling: Ruling) => void
  /** How a dispute stands, the documents that it has, and how often it was answered. */
  of: (id: string) => { state: string; documents: ReadonlyMap<string, Buffer>; answers: number }
}

interface Dispute {
  id: string
  payment: DoublePayment
  opening: Required<Opening>
  state: 'open' | 'defended' | 'accepted' | 'closed'
  answers: number
  documents: Map<string, Buffer>
}

type DocumentType = readonly [
  code: string,
  level: 'Required' | 'OneOrMore' | 'Optional' | 'AlternativeRequired',
]

/** Defence reasons as Adyen's example has them. */
const REASONS: Readonly<Record<string, readonly DocumentType[]>> = {
  GoodsNotReturned: [
    ['TIDorInvoice', 'Optional'],
    ['GoodsNotReturned', 'Required'],
  ],
  GoodsWereAsDescribed: [
    ['GoodsWereAsDescribed', 'OneOrMore'],
    ['TIDorInvoice', 'OneOrMore'],
  ],
  SupplyDefenseMaterial: [
    ['TIDorInvoice', 'Optional'],
    ['DefenseMaterial', 'Required'],
    ['GenericDefenseMaterial', 'AlternativeRequired'],
  ],
}

const DOCUMENT_TYPES = new Set(Object.values(REASONS).flatMap((types) => types.map(([code]) => code)))
const CONTENT_TYPES = new Set(['application/pdf', 'image/jpg', 'image/tiff'])
const FORTNIGHT_MS = 14 * 86_400_000

const Request = v.object({ disputePspReference: v.string(), merchantAccountCode: v.string() })
const Documents = v.object({
  defenseDocuments: v.array(
    v.object({ defenseDocumentTypeCode: v.string(), contentType: v.string(), content: v.string() }),
  ),
})
const Defence = v.object({ defenseReasonCode: v.string() })

const done = (more: object = {}): DoubleAnswer => ({
  status: 200,
  body: { ...more, disputeServiceResult: { success: true } },
})
const refused = (errorMessage: string): DoubleAnswer => ({
  status: 200,
  body: { disputeServiceResult: { success: false, errorMessage } },
})

/** What every request about a dispute that is not open is answered. */
const notOpen = ({ state }: Dispute) =>
  refused(state === 'closed' ? 'Dispute can no longer be answered' : `Dispute has already been ${state}`)

type Operation = (dispute: Dispute, body: unknown, tell: Tell) => DoubleAnswer
type Tell = (dispute: Dispute, eventCode: string, disputeStatus: string | null) => void

const OPERATIONS: Readonly<Record<string, Operation>> = {
  '/retrieveApplicableDefenseReasons': ({ documents }) =>
    done({
      defenseReasons: Object.entries(REASONS).map(([code, types]) => ({
        defenseReasonCode: code,
        satisfied: isSatisfied(types, documents),
        defenseDocumentTypes: types.map(([type, level]) => ({
          defenseDocumentTypeCode: type,
          requirementLevel: level,
          available: documents.has(type),
        })),
      })),
    }),
  '/supplyDefenseDocument'({ documents }, body) {
    const given = v.parse(Documents, body).defenseDocuments
    const wrong = given.find(({ contentType }) => !CONTENT_TYPES.has(contentType))
    if (wrong !== undefined) return refused(`Invalid content type ${wrong.contentType}`)
    const strange = given.find(({ defenseDocumentTypeCode: type }) => !DOCUMENT_TYPES.has(type))
    if (strange !== undefined) return refused(`Unknown document type ${strange.defenseDocumentTypeCode}`)
    for (const { defenseDocumentTypeCode: type, content } of given)
      documents.set(type, Buffer.from(content, 'base64'))
    return done()
  },
  '/defendDispute'(dispute, body, tell) {
    const types = REASONS[v.parse(Defence, body).defenseReasonCode]
    if (types === undefined) return refused('Unknown defense reason')
    if (!isSatisfied(types, dispute.documents)) return refused('Required defense documents are missing')
    dispute.state = 'defended'
    dispute.answers += 1
    const { isInquiry } = dispute.opening
    tell(dispute, 'INFORMATION_SUPPLIED', isInquiry ? 'Responded' : 'Pending')
    if (!isInquiry) tell(dispute, 'CHARGEBACK_REVERSED', 'Pending')
    return done()
  },
  '/acceptDispute'(dispute, _body, tell) {
    dispute.state = 'accepted'
    dispute.answers += 1
    tell(dispute, 'DISPUTE_DEFENSE_PERIOD_ENDED', 'Accepted')
    return done()
  },
}

function isSatisfied(types: readonly DocumentType[], documents: ReadonlyMap<string, Buffer>): boolean {
  const eithers = types.filter(([, level]) => level === 'OneOrMore')
  const isWhole = types.every(([type, level]) => level !== 'Required' || documents.has(type))
  return isWhole && (eithers.length === 0 || eithers.some(([type]) => documents.has(type)))
}

export function createDisputeLedger({ paymentOf, told }: DoubleLedger): DisputeLedger {
  const disputes = new Map<string, Dispute>()
  let last = 0
  const tell: Tell = (dispute, eventCode, disputeStatus) => {
    const { id, payment, opening } = dispute
    // Each is later than the one before, as with Adyen.
    last = Math.max(last + 1, gatewayTime())
    told.push({
      ...toldOf(payment, eventCode, {
        pspReference: id,
        merchantReference: payment.reference,
        value: opening.value,
        reason: 'Other Fraud-Card Absent Environment',
      }),
      ...(WITHOUT_PAYMENT.has(eventCode) && { originalReference: '' }),
      eventDate: new Date(last).toISOString(),
      additionalData: factsOf(opening, disputeStatus),
    })
  }
  return {
    apply(path, body) {
      const { disputePspReference: id, merchantAccountCode } = v.parse(Request, body)
      const dispute = disputes.get(id)
      if (dispute === undefined || merchantAccountCode !== 'Acme')
        return refused(path === '/supplyDefenseDocument' ? 'Unknown dispute' : 'Dispute not found.')
      if (dispute.state !== 'open') return notOpen(dispute)
      return OPERATIONS[path]?.(dispute, body, tell) ?? refused('Unknown operation')
    },
    open(reference, given = {}) {
      const payment = paymentOf(reference)
      if (payment === undefined) throw new Error(`no payment has the reference ${reference}`)
      const until = new Date(gatewayTime() + FORTNIGHT_MS)
      const usual = { scheme: 'visa', code: '10.4', isInquiry: false, isDefensible: true, until }
      const opening = { value: payment.amount, ...usual, ...given }
      const id = randomBytes(8).toString('hex').toUpperCase()
      const dispute: Dispute = { id, payment, opening, state: 'open', answers: 0, documents: new Map() }
      disputes.set(id, dispute)
      if (opening.isInquiry) tell(dispute, 'REQUEST_FOR_INFORMATION', 'Unresponded')
      else {
        tell(dispute, 'NOTIFICATION_OF_CHARGEBACK', 'Undefended')
        tell(dispute, 'CHARGEBACK', 'Undefended')
      }
      return id
    },
    rule(id, ruling) {
      const dispute = disputeOf(id)
      dispute.state = ruling === 'goes to pre-arbitration' || ruling === 'is charged back' ? 'open' : 'closed'
      dispute.documents.clear()
      for (const [eventCode, disputeStatus] of RULINGS[ruling]) tell(dispute, eventCode, disputeStatus)
    },
    of: disputeOf,
  }

  function disputeOf(id: string): Dispute {
    const dispute = disputes.get(id)
    if (dispute === undefined) throw new Error(`there is no dispute ${id}`)
    return dispute
  }
}

/** Events that name no payment in Adyen's examples. */
const WITHOUT_PAYMENT = new Set([
  'CHARGEBACK_REVERSED',
  'PREARBITRATION_LOST',
  'PREARBITRATION_WON',
  'SECOND_CHARGEBACK',
])

const RULINGS: Readonly<Record<Ruling, readonly (readonly [eventCode: string, disputeStatus: string])[]>> = {
  won: [['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', 'Won']],
  lost: [['SECOND_CHARGEBACK', 'Lost']],
  expired: [['DISPUTE_DEFENSE_PERIOD_ENDED', 'Expired']],
  'goes to pre-arbitration': [['PREARBITRATION_OPEN', 'Undefended']],
  'is charged back': [
    ['NOTIFICATION_OF_CHARGEBACK', 'Undefended'],
    ['CHARGEBACK', 'Undefended'],
  ],
}

/** What `additionalData` says of a dispute: of an inquiry the codes have names of their own. */
function factsOf(
  { scheme, code, isInquiry, isDefensible, until }: Required<Opening>,
  disputeStatus: string | null,
): Record<string, string> {
  const codes = isInquiry
    ? { rfiReasonCode: code, rfiSchemeCode: scheme }
    : { chargebackReasonCode: code, chargebackSchemeCode: scheme }
  return {
    ...codes,
    defensePeriodEndsAt: until.toISOString(),
    defendable: String(isDefensible),
    ...(disputeStatus !== null && { disputeStatus }),
  }
}
