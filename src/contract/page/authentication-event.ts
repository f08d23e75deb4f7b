import type { AuthenticationStatus } from '../api/charges/authentication.ts'
import type { EventBase } from './widget-event.ts'

/** How an authentication ended. The merchant's server asks the API for the charge: what a page says is no proof. */
export interface AuthenticationEnd {
  authentication_id: string
  status: Exclude<AuthenticationStatus, 'pending'>
}

/** Fired once: the charge was paid, or holds its funds. */
export interface ChargeAuthSuccessEvent extends EventBase, AuthenticationEnd {
  event: 'chargeAuthSuccess'
}

/** Fired once: nothing was charged, as the bank refused, or nobody finished in time. */
export interface ChargeAuthRejectEvent extends EventBase, AuthenticationEnd {
  event: 'chargeAuthReject'
}

/** Fired once: the card holder gave up, and nothing was charged. */
export interface ChargeAuthCancelledEvent extends EventBase, AuthenticationEnd {
  event: 'chargeAuthCancelled'
}

/** What is going on meanwhile. `challenge`: the bank's page is shown; `slow`, `offline`: what the card holder is told. */
export interface ChargeAuthInfoEvent extends EventBase {
  event: 'chargeAuthInfo'
  authentication_id: string
  info: 'waiting' | 'challenge' | 'slow' | 'offline'
}

export type AuthenticationEvent =
  | ChargeAuthSuccessEvent
  | ChargeAuthRejectEvent
  | ChargeAuthCancelledEvent
  | ChargeAuthInfoEvent
