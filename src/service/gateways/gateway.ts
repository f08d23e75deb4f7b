import type { Cents } from '../../contract/amount.ts'
import type { CardSecrets } from '../vault/vault.ts'

/** Why a card was declined, in words of ours; an adapter knows its gateway's own codes. */
export type DeclineReason =
  | 'do_not_honour'
  | 'insufficient_funds'
  | 'expired_card'
  | 'suspected_fraud'
  | 'authorisation_expired'
  | 'invalid_transaction'

interface Answered {
  /** The gateway's own words and numbers, kept for the merchant to see. */
  code: string
  description: string
  /** The gateway's id of what it did; a later capture or cancel names the sale's. */
  externalId: string
  /** Retrieval reference number, 12 digits (ISO 8583, field 37). */
  externalReference: string
}

/**
 * What became of one operation. `unreachable`: nothing was sent. `unknown`: it was sent and no answer came;
 * ask with `outcomeOf`. No method of a gateway throws for any of these.
 */
export type GatewayAnswer =
  | (Answered & { kind: 'approved'; holdSeconds: number })
  | (Answered & { kind: 'declined'; reason: DeclineReason })
  | { kind: 'unreachable' }
  | { kind: 'unknown' }

/** One operation: `attemptId` is ours, the same for ever, and the gateway tells operations apart by it. */
interface Operation {
  attemptId: string
  amount: Cents
  currency: string
  /** Aborted when we stop waiting for the answer. */
  signal: AbortSignal
}

export interface SaleOperation extends Operation {
  card: CardSecrets & { name: string; expireMonth: number; expireYear: number }
  /** Take the money at once, rather than hold it. */
  capture: boolean
}

export interface FollowUpOperation extends Operation {
  /** `externalId` of the approved sale. */
  saleId: string
}

/** The port that every gateway's adapter implements. */
export interface Gateway {
  sell: (operation: SaleOperation) => Promise<GatewayAnswer>
  capture: (operation: FollowUpOperation) => Promise<GatewayAnswer>
  cancel: (operation: FollowUpOperation) => Promise<GatewayAnswer>
  refund: (operation: FollowUpOperation) => Promise<GatewayAnswer>
  /**
   * What became of the operation with this id. `not_received` is a promise: the gateway does not have it and
   * will refuse it should it still arrive.
   */
  outcomeOf: (attemptId: string, signal: AbortSignal) => Promise<GatewayAnswer | { kind: 'not_received' }>
}
