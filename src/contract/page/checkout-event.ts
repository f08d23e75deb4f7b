import type { FormErrorCode } from './form-error-code.ts'
import type { AuthenticationEvent } from './authentication-event.ts'
import type { EventBase, WidgetEvent } from './widget-event.ts'

/** Names of a checkout's own events, in addition to those of every form. */
export const CHECKOUT_EVENT_NAMES = [
  'paymentSuccessful',
  'paymentFailure',
  'paymentExpired',
  'backToShop',
  'authenticationRequired',
] as const

/** The intent is paid, by this page or another one. The merchant's server asks the API about these ids. */
export interface PaymentSuccessful {
  intent_id: string
  charge_id: string
}

/** Why a payment failed: a message in the shopper's language, and a code to branch on. */
export interface PaymentFailure {
  message: string
  code: FormErrorCode
}

/** Fired once for a checkout. */
export interface PaymentSuccessfulEvent extends EventBase {
  event: 'paymentSuccessful'
  result: PaymentSuccessful
}

/** Fired for each failed payment; the shopper may try again. */
export interface PaymentFailureEvent extends EventBase {
  event: 'paymentFailure'
  result: PaymentFailure
}

/** Fired once the intent has expired and can no longer be paid. */
export interface PaymentExpiredEvent extends EventBase {
  event: 'paymentExpired'
}

/** Fired when the shopper presses the button that leads back to the shop. The SDK follows it; a page does not hear of it. */
export interface BackToShopEvent extends EventBase {
  event: 'backToShop'
  /** The address that the merchant gave with the intent, or set in the page. */
  return_url: string
}

/** Fired when the card holder's bank wants to ask them. The SDK shows its step in a dialog; a page does not hear of it. */
export interface AuthenticationRequiredEvent extends EventBase {
  event: 'authenticationRequired'
  authentication: { id: string; token: string }
}

export type CheckoutEvent =
  | PaymentSuccessfulEvent
  | PaymentFailureEvent
  | PaymentExpiredEvent
  | BackToShopEvent
  | AuthenticationRequiredEvent

/** Any event that a frame sends to its page. */
export type FrameEvent = WidgetEvent | CheckoutEvent | AuthenticationEvent

/** The event with this name. */
export type FrameEventOf<Name extends FrameEvent['event']> = Extract<FrameEvent, { event: Name }>

type WithoutBase<Event> = Event extends FrameEvent ? Omit<Event, keyof EventBase> : never

/** An event's own fields, without those that every event has. */
export type FrameEventContent = WithoutBase<FrameEvent>
