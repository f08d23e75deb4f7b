import type Stripe from 'stripe'
import * as v from 'valibot'
import type { AuthenticationAsked, AuthenticationNeeded, AuthenticationResult } from '../gateway.ts'

/*
 * 3-D Secure at Stripe: the payment's own status tells all of it.
 *
 * Where the bank wants to ask the card holder, Stripe answers with an address for the browser. The payment goes on by itself once the card
 * holder has passed the bank's page there, so the adapter only reads it afterwards and believes nothing that the browser brings.
 */

/** Whether the card holder may be asked at all. */
export const mayAsk = ({ wish, browser, made }: AuthenticationAsked) =>
  browser !== null && made === null && wish !== 'never'

type AskedParams = Pick<
  Stripe.PaymentIntentConfirmParams,
  'return_url' | 'error_on_requires_action' | 'payment_method_options'
>

/** What a confirmation is told of authentication. `isSecondTry`: the bank has declined without one. */
export function askedParams(asked: AuthenticationAsked, isSecondTry: boolean): AskedParams {
  const { wish, made, exemption, returnUrl } = asked
  if (!mayAsk(asked)) {
    const of =
      made === null ? {} : { payment_method_options: { card: { three_d_secure: toMade(made, exemption) } } }
    return { error_on_requires_action: true, ...of }
  }
  const request_three_d_secure = wish === 'challenge' || isSecondTry ? 'challenge' : 'automatic'
  return { return_url: returnUrl, payment_method_options: { card: { request_three_d_secure } } }
}

type Made = NonNullable<AuthenticationAsked['made']>

/** The ECIs that Stripe takes of another provider. */
const KNOWN_ECIS = new Set(['01', '02', '05', '06', '07'])
export const isEciKnown = ({ eci }: Made) => KNOWN_ECIS.has(eci)

/** Of exemptions Stripe takes one, and only of an authentication that was made elsewhere. */
function toMade(
  { version, eci, cryptogram, ds_trans_id, trans_status }: Made,
  exemption: AuthenticationAsked['exemption'],
): Stripe.PaymentIntentConfirmParams.PaymentMethodOptions.Card.ThreeDSecure {
  return {
    version,
    electronic_commerce_indicator: eci,
    cryptogram,
    transaction_id: ds_trans_id,
    ...(trans_status !== undefined && { ares_trans_status: trans_status }),
    ...(exemption === 'transaction_risk_analysis' && { exemption_indicator: 'low_risk' }),
  }
}

/** What is needed to go on after the bank's page; it is kept sealed. */
const State = v.object({ intentId: v.string() })

export const readState = (state: string) => v.parse(State, JSON.parse(state))

/** Where the browser goes: https, or http on this machine. */
const PageUrl = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1)[:/])/

/** The bank's step of a payment that waits for its card holder; null if nobody may ask them, or the service does not know such a step. */
export function stepOf(
  intentId: string,
  url: string,
  asked: AuthenticationAsked,
  isSecondTry: boolean,
): AuthenticationNeeded | null {
  if (!mayAsk(asked) || !PageUrl.test(url) || !URL.canParse(url)) return null
  return {
    kind: 'authentication_needed',
    askedBy: isSecondTry ? 'bank' : asked.wish === 'challenge' ? 'merchant' : 'gateway',
    step: { kind: 'redirect', url, method: 'GET', fields: {} },
    state: JSON.stringify({ intentId }),
  }
}

const nullableText = v.nullish(v.string(), null)

/** What a charge says of 3-D Secure. */
export const ThreeDSecure = v.object({
  authentication_flow: nullableText,
  electronic_commerce_indicator: nullableText,
  result: nullableText,
  transaction_id: nullableText,
  version: nullableText,
})
type ThreeDSecure = v.InferOutput<typeof ThreeDSecure>

/** EMV's transaction status, by Stripe's word. */
const TRANS_STATUS: Readonly<Record<string, string>> = {
  authenticated: 'Y',
  attempt_acknowledged: 'A',
  failed: 'N',
  data_share_only: 'I',
  exempted: 'I',
  not_supported: 'U',
  processing_error: 'U',
}

/** What 3-D Secure has brought; undefined if the bank had no part in it. */
export function resultOf(told: ThreeDSecure | null | undefined): AuthenticationResult | undefined {
  if (!told?.result && !told?.version) return undefined
  const { result, version, authentication_flow: flow } = told
  return {
    version,
    flow: flow === 'challenge' || flow === 'frictionless' ? flow : null,
    transStatus: TRANS_STATUS[result ?? ''] ?? null,
    transStatusReason: null,
    eci: told.electronic_commerce_indicator,
    dsTransId: told.transaction_id,
    isLiabilityShifted: null,
  }
}

/** What another provider's authentication had brought. */
export function resultOfMade({ version, eci, ds_trans_id, trans_status }: Made): AuthenticationResult {
  return {
    version,
    flow: null,
    transStatus: trans_status ?? null,
    transStatusReason: null,
    eci,
    dsTransId: ds_trans_id,
    isLiabilityShifted: null,
  }
}
