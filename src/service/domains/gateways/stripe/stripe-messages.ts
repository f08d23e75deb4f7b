import type Stripe from 'stripe'
import * as v from 'valibot'
import { DECLINE_REASONS } from '../gateway.ts'
import type { AuthorisationRequest, DeclineReason, FollowUpRequest, GatewayAnswer } from '../gateway.ts'
import { shownWords } from './stripe-api.ts'
import { askedParams, mayAsk, resultOf, ThreeDSecure } from './stripe-authentication.ts'
import type { StripeFault, StripeRequest } from './stripe-api.ts'

/** All that is known of a sale without its card: when a sale is asked about, the card is erased. */
export type SaleOrder = Pick<
  AuthorisationRequest,
  'attemptId' | 'amount' | 'currency' | 'capture' | 'statementDescriptor'
>

/** What comes back inside a PaymentIntent without a second request: the time until which a hold can be captured. */
const expand = ['latest_charge']

const intentPath = (id: string, step = '') => `/v1/payment_intents/${encodeURIComponent(id)}${step}`

/** Makes the payment without a card, so that nothing can be paid yet. Sent again, it is the same to the letter. */
export function toCreation(order: SaleOrder): StripeRequest {
  const { attemptId, amount, currency, capture, statementDescriptor } = order
  const suffix = statementDescriptor === null ? null : statementSuffixOf(statementDescriptor)
  const params: Stripe.PaymentIntentCreateParams = {
    amount,
    currency: currency.toLowerCase(),
    capture_method: capture ? 'automatic' : 'manual',
    allowed_payment_method_types: ['card'],
    metadata: { attempt_id: attemptId },
    ...(suffix !== null && { statement_descriptor_suffix: suffix }),
  }
  return { method: 'POST', path: '/v1/payment_intents', params, key: attemptId }
}

/** Of a card payment's statement Stripe takes 22 characters in all: the account's own name of up to 10, `* `, and these. */
const LONGEST_SUFFIX = 10

/**
 * What Stripe adds to the account's name on the statement: as much of a descriptor as has room beside any name. Null where no letter is in
 * it, which Stripe refuses.
 */
export function statementSuffixOf(descriptor: string): string | null {
  const suffix = descriptor.slice(0, LONGEST_SUFFIX).trim()
  return /[A-Za-z]/.test(suffix) ? suffix : null
}

/**
 * Gives the payment its card, which pays or holds it, or has the card holder asked first. `isSecondTry`: the bank has declined for want of
 * authentication, which is asked for now.
 */
export function toConfirmation(
  intentId: string,
  { attemptId, card, authentication }: Pick<AuthorisationRequest, 'attemptId' | 'card' | 'authentication'>,
  isSecondTry: boolean,
): StripeRequest {
  const { number, code, name, expireMonth, expireYear } = card
  const { email } = authentication
  // Stripe takes a card here, but leaves it out of the package's types: only who may hold card numbers may send them.
  const params: Stripe.PaymentIntentConfirmParams & {
    payment_method_data: { card: Stripe.PaymentMethodCreateParams.Card }
  } = {
    payment_method_data: {
      type: 'card',
      card: { number, exp_month: expireMonth, exp_year: expireYear, ...(code !== '' && { cvc: code }) },
      billing_details: { name, ...(email !== null && mayAsk(authentication) && { email }) },
    },
    ...askedParams(authentication, isSecondTry),
    expand,
  }
  const key = `${attemptId}-${isSecondTry ? 'challenge' : 'confirm'}`
  return { method: 'POST', path: intentPath(intentId, '/confirm'), params, key }
}

/** Reads a payment as it is now. */
export function toReading(intentId: string): StripeRequest {
  return { method: 'GET', path: `${intentPath(intentId)}?expand[]=latest_charge` }
}

/** Ends a payment that has not been paid, for ever. */
export function toAbandonment(intentId: string): StripeRequest {
  const params: Stripe.PaymentIntentCancelParams = { cancellation_reason: 'abandoned' }
  return { method: 'POST', path: intentPath(intentId, '/cancel'), params, key: null }
}

export type FollowUp = 'capture' | 'cancel' | 'refund'

/** A capture, cancel or refund, under the attempt's id. */
export function toFollowUpRequest(
  type: FollowUp,
  { attemptId, amount, sale }: FollowUpRequest,
): Extract<StripeRequest, { method: 'POST' }> {
  switch (type) {
    case 'capture': {
      const params: Stripe.PaymentIntentCaptureParams = {
        amount_to_capture: amount,
        metadata: { capture_attempt_id: attemptId },
      }
      return { method: 'POST', path: intentPath(sale.id, '/capture'), params, key: attemptId }
    }
    case 'cancel':
      return { method: 'POST', path: intentPath(sale.id, '/cancel'), params: {}, key: attemptId }
    case 'refund': {
      const params: Stripe.RefundCreateParams = {
        payment_intent: sale.id,
        amount,
        metadata: { attempt_id: attemptId },
      }
      return { method: 'POST', path: '/v1/refunds', params, key: attemptId }
    }
  }
}

/** Reads the refunds of a payment, the newest first: as many as Stripe lists at once. */
export function toRefundList(intentId: string): StripeRequest {
  return { method: 'GET', path: `/v1/refunds?payment_intent=${encodeURIComponent(intentId)}&limit=100` }
}

const Metadata = v.record(v.string(), v.string())
const Id = v.pipe(v.string(), v.nonEmpty())

const LatestCharge = v.object({
  id: Id,
  /** `failed` of a try that was declined. */
  status: v.optional(v.string(), ''),
  created: v.number(),
  payment_method_details: v.nullish(
    v.object({
      card: v.nullish(
        v.object({ capture_before: v.nullish(v.number()), three_d_secure: v.nullish(ThreeDSecure) }),
      ),
    }),
  ),
})

/** A PaymentIntent as far as the adapter reads it. */
export const Intent = v.object({
  id: Id,
  object: v.literal('payment_intent'),
  status: v.string(),
  metadata: Metadata,
  cancellation_reason: v.nullable(v.string()),
  last_payment_error: v.nullish(
    v.object({
      code: v.optional(v.string(), ''),
      decline_code: v.optional(v.string(), ''),
      message: v.optional(v.string(), ''),
    }),
  ),
  latest_charge: v.nullish(v.union([Id, LatestCharge])),
  /** The card that it was confirmed with and is to be paid by. */
  payment_method: v.optional(v.unknown()),
  next_action: v.nullish(v.object({ redirect_to_url: v.nullish(v.object({ url: v.nullish(v.string()) })) })),
})
export type Intent = v.InferOutput<typeof Intent>

/** A refund as far as the adapter reads it. */
export const Refund = v.object({
  id: Id,
  object: v.literal('refund'),
  status: v.nullable(v.string()),
  failure_reason: v.nullish(v.string()),
  metadata: v.nullable(Metadata),
})
type Refund = v.InferOutput<typeof Refund>

export const RefundList = v.object({ data: v.array(Refund), has_more: v.boolean() })

type Answer = Extract<GatewayAnswer, { kind: 'approved' | 'declined' | 'unknown' }>
type Settled = Exclude<Answer, { kind: 'unknown' }>

/** How long a hold can be captured where Stripe does not say: 7 days. */
export const HOLD_SECONDS = 7 * 24 * 3600

const UNKNOWN: Answer = { kind: 'unknown' }

/**
 * What a payment says of its sale. `unpaid` while no card was given, `cancelled` if none ever will be; `asks` while the card holder is asked, at the address if it has one,
 * and `left` if they were asked and it was ended since; `hold_ended` if it was paid and its funds are released.
 */
export type SaleInIntent =
  | Answer
  | { kind: 'unpaid' }
  | { kind: 'cancelled' }
  | { kind: 'asks'; url: string }
  | { kind: 'left' }
  | { kind: 'hold_ended' }

export function saleIn(intent: Intent): SaleInIntent {
  switch (intent.status) {
    case 'requires_capture':
    case 'succeeded':
      return {
        ...approval(intent.id, intent.status, holdSecondsOf(intent)),
        authentication: resultOf(cardIn(intent)?.three_d_secure),
      }
    case 'requires_action':
      return { kind: 'asks', url: intent.next_action?.redirect_to_url?.url ?? '' }
    case 'requires_payment_method':
    case 'requires_confirmation':
    case 'canceled':
      return unpaidIn(intent)
    default:
      return UNKNOWN
  }
}

function unpaidIn(intent: Intent): SaleInIntent {
  const { id, status, last_payment_error: error, payment_method: card, latest_charge: charge } = intent
  if (error) return toDecline(id, errorOf(error))
  if (status !== 'canceled') return { kind: 'unpaid' }
  if (typeof charge === 'object' && charge !== null && charge.status !== 'failed')
    return { kind: 'hold_ended' }
  return { kind: card === null || card === undefined ? 'cancelled' : 'left' }
}

function cardIn({ latest_charge: charge }: Intent) {
  return typeof charge === 'object' ? charge?.payment_method_details?.card : null
}

/** A sale that waits for its card holder, whom nobody can ask. */
export const toRequired = (intentId: string): Settled => toDecline(intentId, WANTS_THE_CARD_HOLDER)

/** A sale whose card holder has not finished, and is asked no more. */
export function notAuthenticated(intentId: string): Settled {
  const words = 'The card holder did not finish what their bank asked'
  return refusal(intentId, 'not_authenticated', words, 'not_authenticated')
}

/** A sale whose hold had ended before anybody asked what had come of it. */
export const holdEnded = (intentId: string): Settled =>
  refusal(intentId, 'hold_ended', 'The hold had ended before its answer was known', 'authorisation_expired')

function holdSecondsOf(intent: Intent): number {
  const { latest_charge: charge } = intent
  if (typeof charge !== 'object' || charge === null) return HOLD_SECONDS
  const before = cardIn(intent)?.capture_before
  return typeof before === 'number' ? Math.max(1, before - charge.created) : HOLD_SECONDS
}

/** What a payment says of a capture: only the capture itself knows the attempt's id. */
export function captureIn(intent: Intent, attemptId: string): Answer {
  const isDone = intent.status === 'succeeded' && intent.metadata['capture_attempt_id'] === attemptId
  return isDone ? approval(chargeIdOf(intent), intent.status) : UNKNOWN
}

/** What a payment says of a cancel: a hold that is gone is gone, whoever has ended it. */
export function cancelIn(intent: Intent): Answer {
  return intent.status === 'canceled' ? approval(intent.id, intent.status) : UNKNOWN
}

/** A refund that is under way counts as done; that it fails later, Stripe tells by a notification. */
export function refundIn({ id, status, failure_reason: failure }: Refund): Answer {
  if (status === 'succeeded' || status === 'pending') return approval(id, status)
  if (status !== 'failed' && status !== 'canceled') return UNKNOWN
  const code = shownWords(failure ?? status)
  return refusal(id, code, 'The refund could not be carried out', 'invalid_transaction')
}

const chargeIdOf = ({ id, latest_charge: charge }: Intent) =>
  (typeof charge === 'string' ? charge : charge?.id) ?? id

function approval(externalId: string, status: string, holdSeconds = HOLD_SECONDS): Settled {
  const answered = { code: status, description: status, externalId, externalReference: null }
  return { ...answered, kind: 'approved', holdSeconds }
}

export function refusal(
  externalId: string,
  code: string,
  description: string,
  reason: DeclineReason,
): Settled {
  return { kind: 'declined', reason, code, description, externalId, externalReference: null }
}

type CardError = Pick<StripeFault, 'code' | 'declineCode' | 'message'>

const WANTS_THE_CARD_HOLDER: CardError = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'The issuer wants the card holder to prove who they are (3-D Secure)',
}

/** A card's error as a payment keeps it. */
export const errorOf = (error: Partial<NonNullable<Intent['last_payment_error']>>): CardError => ({
  code: shownWords(error.code ?? ''),
  declineCode: shownWords(error.decline_code ?? ''),
  message: shownWords(error.message ?? ''),
})

/** A sale whose card was declined. */
export function toDecline(intentId: string, { code, declineCode, message }: CardError): Settled {
  const said = declineCode === '' ? code : declineCode
  const shown = said === '' ? 'declined' : said
  return refusal(intentId, shown, message === '' ? shown : message, declineReasonOf(said))
}

const HOLD_IS_OVER = new Set(['charge_expired_for_capture', 'capture_charge_authorization_expired'])
/** Why Stripe itself ends a hold (`cancellation_reason`). */
export const ENDED_BY_STRIPE = new Set(['automatic', 'expired'])

/** A request that Stripe refuses by what it knows of the payment. */
export function toRefusal(externalId: string, { code, type, message, intent }: StripeFault): Settled {
  const parsed = v.safeParse(Intent, intent)
  const ending = parsed.success ? (parsed.output.cancellation_reason ?? '') : ''
  const isOver = HOLD_IS_OVER.has(code) || ENDED_BY_STRIPE.has(ending)
  return refusal(
    externalId,
    code === '' ? type : code,
    message === '' ? 'Stripe refuses the request' : message,
    isOver ? 'authorisation_expired' : 'invalid_transaction',
  )
}

/** A capture or cancel of a payment that was ended otherwise, such as by hand in Stripe's Dashboard. */
export function toEndedOtherwise({ id, status, cancellation_reason: ending }: Intent): Settled {
  const isOver = status === 'canceled' && ENDED_BY_STRIPE.has(ending ?? '')
  return refusal(
    id,
    'payment_intent_unexpected_state',
    `The payment is ${status} at Stripe, and not by this request`,
    isOver ? 'authorisation_expired' : 'invalid_transaction',
  )
}

/** The codes by which Stripe gives each reason (docs.stripe.com, decline codes and error codes of cards). */
const CODES_BY_REASON: Readonly<Record<DeclineReason, readonly string[]>> = {
  insufficient_funds: ['insufficient_funds', 'card_velocity_exceeded', 'withdrawal_count_limit_exceeded'],
  expired_card: ['expired_card', 'invalid_expiry_month', 'invalid_expiry_year'],
  suspected_fraud: ['fraudulent', 'lost_card', 'merchant_blacklist', 'pickup_card', 'stolen_card'],
  invalid_transaction: [
    'card_not_supported',
    'currency_not_supported',
    'duplicate_transaction',
    'incorrect_number',
    'invalid_account',
    'invalid_amount',
    'invalid_number',
    'live_mode_test_card',
    'new_account_information_available',
    'not_permitted',
    'service_not_allowed',
    'testmode_decline',
    'transaction_not_allowed',
  ],
  authorisation_expired: [],
  authentication_required: ['authentication_required', 'authentication_not_handled'],
  authentication_failed: ['payment_intent_authentication_failure'],
  not_authenticated: [],
  do_not_honour: [
    'approve_with_id',
    'call_issuer',
    'card_declined',
    'do_not_honor',
    'do_not_try_again',
    'generic_decline',
    'incorrect_address',
    'incorrect_cvc',
    'incorrect_pin',
    'incorrect_zip',
    'invalid_cvc',
    'invalid_pin',
    'issuer_not_available',
    'mobile_device_authentication_required',
    'no_action_taken',
    'offline_pin_required',
    'online_or_offline_pin_required',
    'pin_try_exceeded',
    'processing_error',
    'reenter_transaction',
    'restricted_card',
    'revocation_of_all_authorizations',
    'revocation_of_authorization',
    'security_violation',
    'stop_payment_order',
    'try_again_later',
  ],
}

/** Why a card was declined, by Stripe's code; an unknown one gives no reason. */
export function declineReasonOf(code: string): DeclineReason {
  return DECLINE_REASONS.find((reason) => CODES_BY_REASON[reason].includes(code)) ?? 'do_not_honour'
}
