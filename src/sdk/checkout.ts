import type {
  CheckoutEventName,
  FrameEvent,
  FrameEventOf,
  PaymentFailure,
  PaymentSuccessful,
} from '../contract/checkout-event.ts'
import { EventListeners } from './event-listeners.ts'
import { FrameMethods } from './frame-methods.ts'
import { intentIdOf } from './intent-id.ts'
import { elementOf } from './page-input.ts'

/** CSS pixels to keep free: what is to be paid, a card's four fields, the button. */
const HEIGHT = 460

/**
 * The whole checkout of an intent in the merchant's page: what is to be paid, the card form, the payment and how it
 * ended (contract §5). It shows itself as soon as the running script has ended, so that all that is set right after its
 * birth counts. The looks and words that are set here win over those of the intent's template.
 */
export class Checkout extends FrameMethods {
  readonly #container: Element
  readonly #token: string
  readonly #listeners = new EventListeners()

  /**
   * `container` is a selector or an element; `token` is the intent's, as the merchant's server got it.
   * @throws TypeError if the container matches nothing.
   */
  constructor(container: string | Element, token: string) {
    super()
    this.#container = elementOf(container)
    this.#token = token
    queueMicrotask(() => void this.load())
  }

  /**
   * Shows the checkout, which it does by itself: only for those who want to wait for it, to stop it by `signal`, or to
   * try again after a fault. Settles as `HtmlWidget.load` does.
   */
  load(options?: { signal?: AbortSignal | undefined }): Promise<void> {
    const target = this.addressOf('checkout', { intent_id: intentIdOf(this.#token) })
    return this.form.load({ container: this.#container, ...target, height: HEIGHT }, options?.signal)
  }

  /** Calls back once the intent is paid, here or in another page. What it says is for the merchant's server to check. */
  onPaymentSuccessful(callback: (payment: PaymentSuccessful) => void): this {
    return this.#on('paymentSuccessful', ({ result }) => callback(result))
  }

  /** Calls back for each try that failed, which the shopper may make again, and when the checkout can't be shown. */
  onPaymentFailure(callback: (failure: PaymentFailure) => void): this {
    return this.#on('paymentFailure', ({ result }) => callback(result))
  }

  /** Calls back once the intent has expired: only a new one can be paid. */
  onPaymentExpired(callback: () => void): this {
    return this.#on('paymentExpired', () => callback())
  }

  /** Removes the checkout and forgets the callbacks. A payment that is under way goes on at the service. */
  destroy(): void {
    this.#listeners.clear()
    this.form.close()
  }

  /** @internal */
  protected greeting() {
    return { token: this.#token }
  }

  /** @internal */
  protected hear(event: FrameEvent): void {
    if (event.event === 'resize') this.form.session?.fit()
    if (event.event === 'systemError') {
      const { message, code } = event.error
      this.#listeners.tell({ ...event, event: 'paymentFailure', result: { message, code } })
    } else this.#listeners.tell(event)
  }

  #on<Name extends CheckoutEventName>(name: Name, callback: (event: FrameEventOf<Name>) => void): this {
    this.#listeners.add(name, callback)
    return this
  }
}
