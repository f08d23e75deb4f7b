import type { FollowUpRequest, AuthorisationRequest } from '../gateway.ts'

/** A request to Adyen, apart from the account that it is for. */
export interface AdyenRequest {
  path: string
  body: object
}

type Sale = Pick<AuthorisationRequest, 'attemptId' | 'amount' | 'currency' | 'capture'> & {
  card: AuthorisationRequest['card'] | null
}

/**
 * How long Adyen waits before it takes the money of a sale that takes it at once: as long, a sale of unknown outcome can
 * be voided. Adyen counts in whole hours.
 */
const CAPTURE_DELAY_HOURS = 1

/** Until then Adyen may not have captured such a sale, and what is not captured can't be refunded in part. */
const SURELY_CAPTURED_MS = 2 * 3_600_000

/** `/payments`, without 3-D Secure. At a second attempt the card is gone. */
export function toPaymentRequest(
  { attemptId, amount, currency, capture, card }: Sale,
  returnUrl: string,
): AdyenRequest {
  return {
    path: '/payments',
    body: {
      amount: { currency, value: amount },
      reference: attemptId,
      returnUrl,
      shopperInteraction: 'Ecommerce',
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
  return { number, cvc: code, holderName: name, expiryMonth, expiryYear: String(expireYear) }
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
