import { signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import type { CheckoutSession } from '../../contract/api/checkout-session.ts'

/**
 * opening: nothing is known of the intent yet; form: it can be paid; checking: a payment was sent and nobody knows yet
 * what came of it; paid, expired, closed: the end; unreachable: the service can't be asked.
 */
export type Scene = 'opening' | 'form' | 'checking' | 'paid' | 'expired' | 'closed' | 'unreachable'

/** What a checkout knows beside its form. */
export interface CheckoutState {
  scene: Signal<Scene>
  /** The intent as the service last told it. */
  session: Signal<CheckoutSession | null>
  /** Seconds that are left to pay, once they are few. */
  secondsLeft: Signal<number | null>
  /** Whether the device has a network. */
  online: Signal<boolean>
}

export function createCheckoutState(): CheckoutState {
  return {
    scene: signal<Scene>('opening'),
    session: signal<CheckoutSession | null>(null),
    secondsLeft: signal<number | null>(null),
    online: signal(true),
  }
}

/** Whether nothing more will happen in this checkout. */
export function isOver({ scene }: CheckoutState): boolean {
  return ['paid', 'expired', 'closed'].includes(scene.value)
}
