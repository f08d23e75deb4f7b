import * as v from 'valibot'
import { withoutSensitive } from '../../../platform/secrets/secret-in-text.ts'
import type { GatewayAnswer } from '../gateway.ts'
import type { SettledReply } from './checkout-api.ts'
import { declineReasonOf } from './refusal-reasons.ts'

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
const HOLD_SECONDS = 7 * 24 * 3600

const REFUSALS = new Set(['Refused', 'Error', 'Cancelled'])
const WANTS_THE_SHOPPER = new Set(['RedirectShopper', 'IdentifyShopper', 'ChallengeShopper'])

/** The answer to /payments. What is neither a yes nor a no, or answers another payment, is unknown. */
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

/** A part of a sale is to be given back that Adyen may not have captured yet: nothing is sent. */
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
