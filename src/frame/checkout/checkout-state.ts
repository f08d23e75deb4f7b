import { signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import type { Form } from '../form/form-view.ts'
import type { CheckoutSession } from '../../contract/api/checkouts/checkout-session.ts'

/**
 * What the checkout shows. opening: the form, though the intent has not been read yet. form: it can be paid. authenticating: the page
 * around shows what the card holder's bank asks. checking: the outcome of a payment is not known yet. paid, expired, closed, perhaps_paid (the service no longer tells this page), tried_out (too many payments
 * have failed): final.
 */
export type Screen =
  | 'opening'
  | 'form'
  | 'authenticating'
  | 'checking'
  | 'paid'
  | 'expired'
  | 'closed'
  | 'perhaps_paid'
  | 'tried_out'

/** The state of a checkout besides its form. */
export interface CheckoutState {
  screen: Signal<Screen>
  /** The intent as it was last read. */
  session: Signal<CheckoutSession | null>
  /** Seconds left to pay, once they are few; else null. */
  secondsLeft: Signal<number | null>
  /** Whether the last request failed on a device that says that it has no network. */
  offline: Signal<boolean>
}

export function createCheckoutState(): CheckoutState {
  return {
    screen: signal<Screen>('opening'),
    session: signal<CheckoutSession | null>(null),
    secondsLeft: signal<number | null>(null),
    offline: signal(false),
  }
}

/** Whether nothing more can be paid once this is shown. */
export function isFinal(screen: Screen): boolean {
  return ['paid', 'expired', 'closed', 'perhaps_paid', 'tried_out'].includes(screen)
}

/** Whether nothing can be paid here: for good, or while the service can't be asked for the amount. */
export function isDeadEnd({ screen }: CheckoutState, { waitsForAmount }: Form): boolean {
  if (screen.value === 'opening') return !waitsForAmount.value
  return screen.value !== 'paid' && isFinal(screen.value)
}

/** Whether the checkout has reached a final screen. */
export function isOver({ screen }: CheckoutState): boolean {
  return isFinal(screen.value)
}

/** Whether a payment was sent whose outcome is not known yet. */
export function isWaitingForBank({ screen }: CheckoutState): boolean {
  return screen.value === 'checking' || screen.value === 'authenticating'
}
