import type { EventBase, WidgetEvent } from './widget-event.ts'

/** Names of what a checkout tells its page, in addition to the events of every form. */
export const CHECKOUT_EVENT_NAMES = ['paymentSuccessful', 'paymentFailure', 'paymentExpired'] as const

export type CheckoutEventName = (typeof CHECKOUT_EVENT_NAMES)[number]

/** The intent is paid, by this page or another one: what the merchant's server asks the API about. */
export interface PaymentSuccessful {
  intent_id: string
  charge_id: string
}

/** Why a payment was not made: words in the shopper's language, and a code to branch on. */
export interface PaymentFailure {
  message: string
  code: string
}

/** Fired once for a checkout. */
export interface PaymentSuccessfulEvent extends EventBase {
  event: 'paymentSuccessful'
  result: PaymentSuccessful
}

/** Fired for each try that failed; the shopper may try again. */
export interface PaymentFailureEvent extends EventBase {
  event: 'paymentFailure'
  result: PaymentFailure
}

/** Fired once the intent takes no payment any more. */
export interface PaymentExpiredEvent extends EventBase {
  event: 'paymentExpired'
}

export type CheckoutEvent = PaymentSuccessfulEvent | PaymentFailureEvent | PaymentExpiredEvent

/** Whatever a frame tells its page. */
export type FrameEvent = WidgetEvent | CheckoutEvent

/** The event object that belongs to a name. */
export type FrameEventOf<Name extends FrameEvent['event']> = Extract<FrameEvent, { event: Name }>
