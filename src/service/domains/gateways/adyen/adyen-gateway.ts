import type { SendRequest } from '../../../platform/outbound/http-client.ts'
import type { FollowUpRequest, Gateway, GatewayAnswer } from '../gateway.ts'
import type { AdyenAccount } from './adyen-account.ts'
import { notCapturedYet, toFollowUpAnswer, toSaleAnswer } from './answers.ts'
import { createCheckAccount } from './check-account.ts'
import { createSend, isAboutPayment } from './checkout-api.ts'
import type { Reply } from './checkout-api.ts'
import { createOutcomeOf } from './lost-operation.ts'
import { toFollowUpRequest, toPaymentRequest } from './requests.ts'

interface Parts {
  account: AdyenAccount
  sendRequest: SendRequest
  /** Adyen insists on an address to come back to; without 3-D Secure nobody is sent there. */
  returnUrl: string
  /** A key that was never used. */
  createKey: () => string
  /** Hears that Adyen refused the account's key or rights. */
  onFault: (error: Error) => void
  /** How long after it was written a sale may still turn up at Adyen, in ms. */
  settleMs?: number
}

const SETTLE_MS = 180_000

/**
 * Adyen Checkout v72. Every request carries our attempt's id, as its reference and as its `Idempotency-Key`.
 *
 * **Approved**: of a sale, `Authorised`. Captures, cancels and refunds Adyen only receives, and carries out later: received
 * is approved here. Should it fail after that (a refund for want of funds, a capture of what was cancelled by hand), Adyen
 * says so by its own notifications, which are not read here: docs/gateways.md lists those that the operator watches for.
 *
 * **Unknown**: Adyen has no look-up by reference. A capture, cancel or refund is asked for by sending it again under its
 * key: Adyen carries it out if it never came, and repeats its answer if it did. A cancel needs no key for that: a payment
 * is cancelled once. A sale is sent again too, but without the
 * card, which is erased by then: a sale that came is answered as it was; one that never came is refused for want of a
 * card. That refusal alone proves nothing, so once no sale can still be under way (`settleMs`) whatever there is under
 * our reference is voided, and only then does it count as never received. For that to hold, Adyen captures a sale that
 * takes the money at once an hour after it. Too late to void, or the key too old: it stays unknown, for the operator to
 * find out.
 *
 * In its first two hours such a sale is refunded whole, by a reversal; a part is declined.
 */
export function createAdyenGateway(parts: Parts): Gateway {
  const { account, returnUrl, createKey, onFault, settleMs = SETTLE_MS } = parts
  const send = createSend(account, parts.sendRequest, onFault)
  const follow =
    (type: 'capture' | 'cancel' | 'refund') =>
    async (operation: FollowUpRequest): Promise<GatewayAnswer> => {
      const { attemptId, sale, signal } = operation
      const request = toFollowUpRequest(type, operation)
      if (request === null) return notCapturedYet(sale.id)
      const reply = await send(request, attemptId, signal)
      if (isAboutPayment(reply)) return toFollowUpAnswer(reply, attemptId, sale.id)
      return answerWithoutOutcome(reply)
    }
  return {
    async authorise(operation) {
      const { attemptId, signal } = operation
      const reply = await send(toPaymentRequest(operation, returnUrl), attemptId, signal)
      if (reply.kind === 'answered' || reply.kind === 'refused') return toSaleAnswer(reply, attemptId)
      return answerWithoutOutcome(reply)
    },
    capture: follow('capture'),
    cancel: follow('cancel'),
    refund: follow('refund'),
    outcomeOf: createOutcomeOf({ send, returnUrl, createKey, settleMs }),
    check: createCheckAccount({ send, createKey }),
  }
}

/** Where Adyen refuses the credentials, or does not understand, nothing was moved: as if it had not been reached. */
function answerWithoutOutcome({ kind }: Reply): GatewayAnswer {
  return { kind: kind === 'unknown' ? 'unknown' : 'unreachable' }
}
