import * as v from 'valibot'
import { withoutSensitive } from '../../../platform/secrets/secret-in-text.ts'
import { DECLINE_REASONS } from '../gateway.ts'
import type { AuthorisationRequest, DeclineReason, FollowUpRequest, GatewayAnswer } from '../gateway.ts'
import type { AdyenRequest, SettledReply } from './checkout-api.ts'

type PaymentRequest = Pick<AuthorisationRequest, 'attemptId' | 'amount' | 'currency' | 'capture'> & {
  card: AuthorisationRequest['card'] | null
  statementDescriptor?: string | null
}

/**
 * How long Adyen waits before it captures a sale that is captured at once; until then a sale of unknown outcome can be voided. Adyen counts
 * in whole hours.
 */
const CAPTURE_DELAY_HOURS = 1

/** Until this age Adyen may not have captured such a sale, and it can't be refunded in part. */
const SURELY_CAPTURED_MS = 2 * 3_600_000

/** `/payments`, without 3-D Secure. When it is sent again, the card is gone. */
export function toPaymentRequest(
  { attemptId, amount, currency, capture, card, statementDescriptor = null }: PaymentRequest,
  returnUrl: string,
): AdyenRequest {
  return {
    path: '/payments',
    body: {
      amount: { currency, value: amount },
      reference: attemptId,
      returnUrl,
      shopperInteraction: 'Ecommerce',
      ...(statementDescriptor !== null && { shopperStatement: statementDescriptor }),
      authenticationData: { attemptAuthentication: 'never' },
      ...(capture
        ? { captureDelayHours: CAPTURE_DELAY_HOURS }
        : { additionalData: { manualCapture: 'true' } }),
      paymentMethod: { type: 'scheme', ...(card !== null && cardFieldsOf(card)) },
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
})
type Payment = v.InferOutput<typeof Payment>

const Modification = v.object({
  status: v.literal('received'),
  pspReference: v.pipe(v.string(), v.nonEmpty()),
  reference: v.optional(v.string()),
})

/** How long Adyen's acquirers honour an authorisation, at the least: 7 days. */
export const HOLD_SECONDS = 7 * 24 * 3600

const REFUSALS = new Set(['Refused', 'Error', 'Cancelled'])
const WANTS_THE_SHOPPER = new Set(['RedirectShopper', 'IdentifyShopper', 'ChallengeShopper'])

/** The answer to /payments. `unknown` if it is neither a yes nor a no, or answers another payment. */
export function toSaleAnswer(reply: SettledReply, attemptId: string): Answer {
  if (reply.kind === 'refused') return refused(reply, '')
  const payment = v.safeParse(Payment, reply.body)
  if (!payment.success || isOthers(payment.output.merchantReference, attemptId)) return { kind: 'unknown' }
  return paymentAnswer(payment.output)
}

function paymentAnswer({ resultCode, pspReference, refusalReason, refusalReasonCode }: Payment): Answer {
  const answered = { externalId: pspReference, externalReference: null }
  if (resultCode === 'Authorised' && pspReference !== '') {
    return {
      ...answered,
      kind: 'approved',
      code: resultCode,
      description: resultCode,
      holdSeconds: HOLD_SECONDS,
    }
  }
  if (REFUSALS.has(resultCode)) {
    const code = withoutSensitive(refusalReasonCode ?? resultCode)
    const description = withoutSensitive(refusalReason ?? resultCode)
    return { ...answered, kind: 'declined', code, description, reason: declineReasonOf(refusalReasonCode) }
  }
  if (WANTS_THE_SHOPPER.has(resultCode)) {
    const description = 'The issuer wants the card holder to prove who they are (3-D Secure)'
    return { ...answered, kind: 'declined', code: resultCode, description, reason: 'do_not_honour' }
  }
  return { kind: 'unknown' }
}

/** The answer to a capture, cancel, refund or reversal: received is approved (see adyen-gateway.ts). */
export function toFollowUpAnswer(reply: SettledReply, attemptId: string, saleId: string): Answer {
  if (reply.kind === 'refused') return refused(reply, saleId)
  const parsed = v.safeParse(Modification, reply.body)
  if (!parsed.success || isOthers(parsed.output.reference, attemptId)) return { kind: 'unknown' }
  const { status, pspReference: externalId } = parsed.output
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

function isOthers(reference: string | undefined, attemptId: string): boolean {
  return reference !== undefined && reference !== attemptId
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
    42: '3D Secure required for authentication',
  },
  authentication_failed: {
    11: '3D not authenticated',
    37: '3DS authentication failed',
  },
  not_authenticated: {},
  do_not_honour: {
    2: 'Refused',
    3: 'Referral',
    4: 'Acquirer error',
    5: 'Blocked card',
    9: 'Issuer unavailable',
    11: '3-D not authenticated',
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
    38: 'Authentication required',
    39: 'RReq not received from the directory server',
    40: 'Current AID is in penalty box',
    41: 'CVM required, restart payment',
    42: '3DS authentication error',
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
