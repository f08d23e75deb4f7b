import type { FollowUpRequest, Gateway, OutcomeRequest } from '../gateway.ts'
import { notCapturedYet, toFollowUpAnswer, toSaleAnswer } from './answers.ts'
import { isAboutPayment } from './checkout-api.ts'
import type { Send } from './checkout-api.ts'
import { toFollowUpRequest, toPaymentRequest, toVoidRequest } from './requests.ts'

interface Parts {
  send: Send
  returnUrl: string
  createKey: () => string
  settleMs: number
}

type Outcome = Awaited<ReturnType<Gateway['outcomeOf']>>
type LostSale = Extract<OutcomeRequest, { type: 'sale' }>

const UNKNOWN: Outcome = { kind: 'unknown' }
/** The least time for which Adyen keeps an idempotency key and its answer. */
const KEY_KEPT_MS = 7 * 24 * 3_600_000
/** How long a sale that takes the money at once can surely be voided: Adyen captures it an hour after it came. */
const VOIDABLE_MS = 45 * 60_000

/** What became of an operation without an answer; adyen-gateway.ts says why it is found out like this. */
export function createOutcomeOf({ send, returnUrl, createKey, settleMs }: Parts): Gateway['outcomeOf'] {
  return (operation) =>
    operation.type === 'sale' ? ofSale(operation) : ofFollowUp(operation.type, operation)

  async function ofFollowUp(
    type: 'capture' | 'cancel' | 'refund',
    operation: FollowUpRequest & { ageMs: number },
  ): Promise<Outcome> {
    const { attemptId, sale, signal, ageMs } = operation
    const request = toFollowUpRequest(type, operation)
    if (request === null) return notCapturedYet(sale.id)
    // What is cancelled twice is cancelled once: a cancel needs no key.
    if (ageMs >= KEY_KEPT_MS && type !== 'cancel') return UNKNOWN
    const reply = await send(request, attemptId, signal)
    return isAboutPayment(reply) ? toFollowUpAnswer(reply, attemptId, sale.id) : UNKNOWN
  }

  async function ofSale(sale: LostSale): Promise<Outcome> {
    if (sale.ageMs < KEY_KEPT_MS) {
      const answer = await repeat(sale)
      if (answer !== null) return answer
    }
    const isTooEarly = sale.minAgeMs < settleMs
    const isTooLate = sale.capture && sale.ageMs >= VOIDABLE_MS
    return isTooEarly || isTooLate ? UNKNOWN : voidWhatThereIs(sale)
  }

  /** Adyen's answer under the sale's key; null when Adyen knows of no sale under it, or of one that is neither yes nor no. */
  async function repeat(sale: LostSale): Promise<Outcome | null> {
    const { attemptId, signal } = sale
    const reply = await send(toPaymentRequest({ ...sale, card: null }, returnUrl), attemptId, signal)
    if (reply.kind === 'refused') return null
    if (reply.kind !== 'answered') return UNKNOWN
    const answer = toSaleAnswer(reply, attemptId)
    return answer.kind === 'unknown' ? null : answer
  }

  async function voidWhatThereIs({ attemptId, signal }: LostSale): Promise<Outcome> {
    const reply = await send(toVoidRequest(attemptId), createKey(), signal)
    return reply.kind === 'answered' && reply.status === 201 ? { kind: 'not_received' } : UNKNOWN
  }
}
