import type { Cents } from '../../../contract/api/fields/amount.ts'
import type { CardSecrets } from '../../platform/vault/vault.ts'

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
  /** Retrieval reference number, 12 digits (ISO 8583, field 37); null from a gateway that does not tell it. */
  externalReference: string | null
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

export interface AuthorisationRequest extends Operation {
  card: CardSecrets & { name: string; expireMonth: number; expireYear: number }
  /** Take the money at once, rather than hold it. */
  capture: boolean
}

export interface FollowUpRequest extends Operation {
  sale: FollowedSale
}

/** The approved sale that an operation follows. */
export interface FollowedSale {
  /** Its `externalId`. */
  id: string
  amount: Cents
  /** Its money was taken at once, rather than held. */
  capture: boolean
  /** How much older than the operation it is, in ms: the same whenever the operation is sent. */
  ageMs: number
}

/**
 * An operation whose answer never came, with all that is still known of it: of the card, nothing. A gateway that can't
 * be asked by id alone is asked by sending it again.
 */
export type OutcomeRequest = Operation & {
  /** How long ago it was written at the most, in ms by the database's clock. */
  ageMs: number
  /** The same at the least: the two differ once the database's clock has stepped. */
  minAgeMs: number
} & ({ type: 'sale'; capture: boolean } | { type: 'capture' | 'cancel' | 'refund'; sale: FollowedSale })

/** How a gateway took a question that moves no money. `refused`: in words for the merchant. */
export type GatewayCheck =
  | { kind: 'works' }
  | { kind: 'refused'; message: string }
  | { kind: 'unreachable'; proxyCode?: string }

/** The port that every gateway's adapter implements. */
export interface Gateway {
  authorise: (operation: AuthorisationRequest) => Promise<GatewayAnswer>
  capture: (operation: FollowUpRequest) => Promise<GatewayAnswer>
  cancel: (operation: FollowUpRequest) => Promise<GatewayAnswer>
  refund: (operation: FollowUpRequest) => Promise<GatewayAnswer>
  /**
   * What became of an operation. A gateway may find out by carrying out now what it never received, once. `not_received`
   * is a promise: it has moved no money and it never will, also should it still arrive.
   */
  outcomeOf: (operation: OutcomeRequest) => Promise<GatewayAnswer | { kind: 'not_received' }>
  /** Makes a call that moves no money, to test the credentials; absent where the gateway has no such call. */
  check?: (signal: AbortSignal) => Promise<GatewayCheck>
}
