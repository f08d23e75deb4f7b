import * as v from 'valibot'
import { withoutSensitive } from '../../../platform/secrets/secret-in-text.ts'
import { DECLINE_REASONS } from '../gateway.ts'
import type {
  AuthenticationNeeded,
  AuthorisationRequest,
  DeclineReason,
  FollowUpRequest,
  GatewayAnswer,
} from '../gateway.ts'
import { Action, askedFields, leftBy, resultOf, ResultFields, stepOf } from './adyen-authentication.ts'
import type { Progress, Seen, State } from './adyen-authentication.ts'
import type { AdyenRequest, SettledReply } from './checkout-api.ts'

type SaleOrder = Pick<
  AuthorisationRequest,
  'attemptId' | 'amount' | 'currency' | 'capture' | 'statementDescriptor'
>

/**
 * How long Adyen waits before it captures a sale that is captured at once; until then a sale of unknown outcome can be voided. Adyen counts
 * in whole hours.
 */
const CAPTURE_DELAY_HOURS = 1

/** Until this age Adyen may not have captured such a sale, and it can't be refunded in part. */
const SURELY_CAPTURED_MS = 2 * 3_600_000

/** `/payments`. `isSecondTry`: the bank has declined for want of authentication, which is asked for now. */
export function toPaymentRequest(
  { card, authentication, ...order }: SaleOrder & Pick<AuthorisationRequest, 'card' | 'authentication'>,
  isSecondTry: boolean,
): AdyenRequest {
  const asked = askedFields(authentication, isSecondTry)
  return paymentOf(order, { ...asked, paymentMethod: { type: 'scheme', ...cardFieldsOf(card) } })
}

/** The same, sent again once the card and all of its authentication are gone. Adyen insists on an address to come back to. */
export function toRepeatedPayment(order: SaleOrder, returnUrl: string): AdyenRequest {
  const nothing = { authenticationData: { attemptAuthentication: 'never' }, additionalData: {} }
  return paymentOf(order, { ...nothing, returnUrl, paymentMethod: { type: 'scheme' } })
}

function paymentOf(
  { attemptId, amount, currency, capture, statementDescriptor }: SaleOrder,
  { additionalData, ...fields }: { additionalData: object } & Record<string, unknown>,
): AdyenRequest {
  const added = { ...additionalData, ...(!capture && { manualCapture: 'true' }) }
  return {
    path: '/payments',
    body: {
      amount: { currency, value: amount },
      reference: attemptId,
      shopperInteraction: 'Ecommerce',
      ...(statementDescriptor !== null && { shopperStatement: statementDescriptor }),
      ...(capture && { captureDelayHours: CAPTURE_DELAY_HOURS }),
      ...(Object.keys(added).length > 0 && { additionalData: added }),
      ...fields,
    },
  }
}

function cardFieldsOf({ number, code, name, expireMonth, expireYear }: AuthorisationRequest['card']): object {
  const expiryMonth = String(expireMonth).padStart(2, '0')
  const cvc = code === '' ? {} : { cvc: code }
  return { number, ...cvc, holderName: name, expiryMonth, expiryYear: String(expireYear) }
}

/** A capture, cancel or refund; null for a refund that Adyen can't carry out yet. */
export function toFollowUpRequest(
  type: 'capture' | 'cancel' | 'refund',
  { attemptId: reference, amount: value, currency, sale }: FollowUpRequest,
): AdyenRequest | null {
  const to = (what: string, body: object) => ({
    path: `/payments/${encodeURIComponent(sale.id)}/${what}`,
    body,
  })
  const amount = { currency, value }
  if (type === 'capture') return to('captures', { reference, amount })
  if (type === 'cancel') return to('cancels', { reference })
  if (!sale.capture || sale.ageMs >= SURELY_CAPTURED_MS) return to('refunds', { reference, amount })
  return value === sale.amount ? to('reversals', { reference }) : null
}

/** Voids whatever authorisation a payment may have, by our reference of it. */
export function toVoidRequest(attemptId: string): AdyenRequest {
  return { path: '/cancels', body: { paymentReference: attemptId, reference: `${attemptId}-void` } }
}

type Answer = Extract<GatewayAnswer, { kind: 'approved' | 'declined' | 'unknown' }>
type Settled = Exclude<Answer, { kind: 'unknown' }>

const Payment = v.object({
  resultCode: v.string(),
  pspReference: v.optional(v.string(), ''),
  merchantReference: v.optional(v.string()),
  refusalReason: v.optional(v.string()),
  refusalReasonCode: v.optional(v.string()),
  action: v.optional(v.unknown()),
  ...ResultFields.entries,
})
type Payment = v.InferOutput<typeof Payment>

const Modification = v.object({
  status: v.literal('received'),
  pspReference: v.pipe(v.string(), v.nonEmpty()),
  paymentPspReference: v.string(),
  reference: v.optional(v.string()),
})

/** How long Adyen's acquirers honour an authorisation, at the least: 7 days. */
export const HOLD_SECONDS = 7 * 24 * 3600

const REFUSALS = new Set(['Refused', 'Error', 'Cancelled'])
const WANTS_THE_SHOPPER = new Set(['RedirectShopper', 'IdentifyShopper', 'ChallengeShopper'])

/** What an answer about a sale is read by. */
export interface SaleContext extends Seen {
  attemptId: string
  /** Whether the request has named our reference: then an answer that names none is about it. */
  isNamed: boolean
  /** How far its authentication is; null if nobody can be asked. */
  progress: Progress | null
}

/** An answer, or the bank's next step; `silent` is one without anything to show. */
export type SaleAnswer = Answer | AuthenticationNeeded | { kind: 'silent'; state: State }

/** The answer to `/payments` or `/payments/details`. `unknown` if it is neither a yes nor a no, or not surely of this payment. */
export function toSaleAnswer(reply: SettledReply, context: SaleContext): SaleAnswer {
  if (reply.kind === 'refused') return refused(reply, '')
  const payment = v.safeParse(Payment, reply.body)
  if (!payment.success || !isOurs(payment.output, context)) return UNKNOWN
  return paymentAnswer(payment.output, context)
}

/** Whether an answer may be about another payment, which a card holder's browser may have named. */
export function mayBeOfAnother(reply: SettledReply, context: SaleContext): boolean {
  const payment = v.safeParse(Payment, reply.kind === 'answered' ? reply.body : undefined)
  return payment.success && !isOurs(payment.output, context)
}

/** A step names no reference: what comes of it does. */
function isOurs({ merchantReference, resultCode }: Payment, { attemptId, isNamed }: SaleContext): boolean {
  if (merchantReference !== undefined) return merchantReference === attemptId
  return isNamed || WANTS_THE_SHOPPER.has(resultCode)
}

const UNKNOWN: Answer = { kind: 'unknown' }

function paymentAnswer(payment: Payment, context: SaleContext): SaleAnswer {
  const { resultCode, pspReference } = payment
  const answered = { externalId: pspReference, externalReference: null }
  if (resultCode === 'Authorised' && pspReference !== '') {
    return {
      ...answered,
      kind: 'approved',
      code: resultCode,
      description: resultCode,
      holdSeconds: HOLD_SECONDS,
      authentication: resultOf(payment, context),
    }
  }
  if (REFUSALS.has(resultCode)) return refusedSale(payment, context)
  return WANTS_THE_SHOPPER.has(resultCode) ? nextStep(payment, context) : UNKNOWN
}

function refusedSale(payment: Payment, context: SaleContext): Settled {
  const { resultCode, pspReference, refusalReason, refusalReasonCode } = payment
  const isCancelled = resultCode === 'Cancelled' && context.progress !== null
  const left = leftBy(payment) ?? (isCancelled ? 'cancelled' : null)
  return {
    kind: 'declined',
    externalId: pspReference,
    externalReference: null,
    code: withoutSensitive(refusalReasonCode ?? resultCode),
    description: withoutSensitive(refusalReason ?? resultCode),
    reason: left === null ? declineReasonOf(refusalReasonCode) : 'not_authenticated',
    authentication: resultOf(payment, context),
    ...(left !== null && { left }),
  }
}

/** The bank's step; a decline where nobody can be asked, or it is one that is not known. */
function nextStep({ resultCode, pspReference, action }: Payment, { progress }: SaleContext): SaleAnswer {
  const declined = {
    kind: 'declined',
    code: resultCode,
    externalId: pspReference,
    externalReference: null,
  } as const
  if (progress === null)
    return { ...declined, description: WANTS_THE_CARD_HOLDER, reason: 'authentication_required' }
  const parsed = v.safeParse(Action, action)
  const step = parsed.success ? stepOf(parsed.output, progress) : null
  if (step !== null) return step
  const description = 'Adyen asks for a step of 3-D Secure that the service does not know'
  return { ...declined, description, reason: 'authentication_failed' }
}

const WANTS_THE_CARD_HOLDER = 'The issuer wants the card holder to prove who they are (3-D Secure)'

/** A sale whose card holder has not finished, and is asked no more. */
export function notAuthenticated(externalId: string): Settled {
  return {
    kind: 'declined',
    reason: 'not_authenticated',
    code: 'not_authenticated',
    description: 'The card holder did not finish what their bank asked',
    externalId,
    externalReference: null,
  }
}

/** The answer to a capture, cancel, refund or reversal: received is approved (see adyen-gateway.ts). */
export function toFollowUpAnswer(reply: SettledReply, attemptId: string, saleId: string): Answer {
  if (reply.kind === 'refused') return refused(reply, saleId)
  const parsed = v.safeParse(Modification, reply.body)
  if (!parsed.success) return UNKNOWN
  const { status, pspReference: externalId, paymentPspReference, reference = attemptId } = parsed.output
  if (paymentPspReference !== saleId || reference !== attemptId) return UNKNOWN
  return {
    kind: 'approved',
    code: status,
    description: 'Received',
    externalId,
    externalReference: null,
    holdSeconds: HOLD_SECONDS,
  }
}

function refused(
  { code, message: description }: Extract<SettledReply, { kind: 'refused' }>,
  externalId: string,
): Settled {
  return {
    kind: 'declined',
    code,
    description,
    externalId,
    externalReference: null,
    reason: 'invalid_transaction',
  }
}

/** The answer to a partial refund of a sale that Adyen may not have captured yet: nothing is sent. */
export function notCapturedYet(saleId: string): Settled {
  return {
    kind: 'declined',
    reason: 'invalid_transaction',
    code: 'not_captured_yet',
    description:
      'Adyen takes the money within two hours of the sale. Refund a part after that, or all of it now',
    externalId: saleId,
    externalReference: null,
  }
}

/** The codes (`refusalReasonCode`) by which Adyen gives each reason, with Adyen's words (docs.adyen.com, refusal reasons). */
const CODES_BY_REASON: Readonly<Record<DeclineReason, Readonly<Record<string, string>>>> = {
  insufficient_funds: {
    12: 'Not enough balance',
    28: 'Withdrawal amount exceeded',
    29: 'Withdrawal count exceeded',
  },
  expired_card: {
    6: 'Expired card',
  },
  suspected_fraud: {
    14: 'Acquirer fraud',
    20: 'Fraud',
    22: 'Fraud, cancelled',
    31: 'Issuer suspected fraud',
  },
  invalid_transaction: {
    7: 'Invalid amount',
    8: 'Invalid card number',
    10: 'Not supported',
    21: 'Not submitted',
    23: 'Transaction not permitted',
  },
  authorisation_expired: {},
  authentication_required: {
    38: 'Authentication required',
  },
  authentication_failed: {
    11: '3-D not authenticated',
    39: 'RReq not received from DS',
    42: '3DS authentication error',
  },
  not_authenticated: {},
  do_not_honour: {
    2: 'Refused',
    3: 'Referral',
    4: 'Acquirer error',
    5: 'Blocked card',
    9: 'Issuer unavailable',
    15: 'Cancelled',
    16: 'Shopper cancelled',
    17: 'Invalid PIN',
    18: 'PIN tries exceeded',
    19: 'PIN validation not possible',
    24: 'CVC declined',
    25: 'Restricted card',
    26: 'Revocation of authorisation',
    27: 'Declined, non generic',
    32: 'AVS declined',
    33: 'Card requires online PIN',
    34: 'No checking account available on card',
    35: 'No savings account available on card',
    36: 'Mobile PIN required',
    37: 'Contactless fallback',
    40: 'Current AID is in penalty box',
    41: 'CVM required, restart payment',
    43: 'Online PIN required',
    44: 'Try another interface',
    45: 'Chip downgrade mode',
    46: 'Transaction blocked by Adyen, to prevent excessive retry fees',
  },
}

/** Why a card was declined, by Adyen's code; an unknown or missing code gives no reason. */
function declineReasonOf(code: string | undefined): DeclineReason {
  return (
    DECLINE_REASONS.find((reason) => Object.hasOwn(CODES_BY_REASON[reason], code ?? '')) ?? 'do_not_honour'
  )
}

const lettersOf = (words: string) => words.toLowerCase().replace(/[^a-z\d]/g, '')

/** Why a card was declined, by Adyen's words, which notifications have in place of the code. */
export function declineReasonByWords(words: string): DeclineReason {
  const isSaid = (reason: DeclineReason) =>
    Object.values(CODES_BY_REASON[reason]).some((known) => lettersOf(known) === lettersOf(words))
  return DECLINE_REASONS.find(isSaid) ?? 'do_not_honour'
}
