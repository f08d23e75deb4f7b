import type { FrameEvent, PaymentFailure, PaymentSuccessful } from '../contract/page/checkout-event.ts'
import { mergedSettings } from '../contract/page/merged-settings.ts'
import { layoutOf } from './iframe-host/form-layout.ts'
import { hostOf } from './iframe-host/frame-host.ts'
import { reportInConsole } from './iframe-host/report-in-console.ts'
import { FramedForm } from './framed-form.ts'
import { EventListeners } from './page/event-listeners.ts'
import { elementOf } from './page/page-input.ts'
import { tokenContentOf } from './settings/token-shape.ts'

/**
 * The whole checkout of an intent in the merchant's page: the amount, the card form, the payment and its result. It loads
 * by itself once the running script has ended, so settings made right after construction apply from the start. Styles and
 * texts set here win over those of the intent's template.
 */
export class Checkout extends FramedForm {
  readonly #host = hostOf(this)
  readonly #container: Element
  readonly #token: string
  readonly #listeners = new EventListeners()

  /**
   * `container` is a selector or an element; `token` is the intent's token, which the merchant's server received.
   * @throws TypeError if the container matches nothing, or there is no token.
   */
  constructor(container: string | Element, token: string) {
    super()
    requireToken(token)
    this.#container = elementOf(container)
    this.#token = token
    this.#host.connect(this.#container, {
      welcome: () => ({ token }),
      receive: (event) => this.#receive(event),
    })
    queueMicrotask(() => {
      if (!this.#host.form.isClosed) void this.load()
    })
  }

  /**
   * Shows the checkout. It also loads by itself: call this to wait for it, to stop it by `signal`, or to try again after a
   * fault. Settles as `HtmlWidget.load` does.
   */
  load(options?: { signal?: AbortSignal | undefined }): Promise<void> {
    const container = this.#container
    const { intentId, description, form, language } = tokenContentOf(this.#token)
    const target = this.#host.addressOf('checkout', { intent_id: intentId }, language)
    const settings = mergedSettings(form ?? {}, this.#host.settings)
    const layout = layoutOf(settings, container.clientWidth, { description })
    return this.#host.form.load({ container, ...target, layout }, options?.signal)
  }

  /** Calls back once, when the intent is paid, here or in another page. The merchant's server must verify the payment. */
  onPaymentSuccessful(callback: (payment: PaymentSuccessful) => void): this {
    // Once: the document of a checkout that the page moves comes anew, finds the intent as it is and says so again.
    this.#listeners.once('paymentSuccessful', ({ result }) => callback(result))
    return this
  }

  /** Calls back after each failed payment, which the shopper may try again, and when the checkout can't be shown. */
  onPaymentFailure(callback: (failure: PaymentFailure) => void): this {
    this.#listeners.add('paymentFailure', ({ result }) => callback(result))
    return this
  }

  /** Calls back once, when the intent has expired and can no longer be paid. */
  onPaymentExpired(callback: () => void): this {
    this.#listeners.once('paymentExpired', () => callback())
    return this
  }

  /** Removes the checkout and its callbacks. A payment that has been sent is not stopped. */
  destroy(): void {
    this.#listeners.clear()
    this.#host.form.close()
  }

  #receive(event: FrameEvent): void {
    if (event.event === 'resize') this.#host.form.session?.fit(true)
    if (event.event === 'systemError') {
      const { message, code } = event.error
      if (!this.#listeners.has('paymentFailure')) reportInConsole(event.error)
      this.#listeners.emit({ ...event, event: 'paymentFailure', result: { message, code } })
    } else this.#listeners.emit(event)
  }
}

/** A page without types may pass what has not come yet. */
function requireToken(token: unknown): void {
  if (typeof token === 'string') return
  throw new TypeError(
    `new Checkout(container, token): token is ${String(token)}. Pass the token of the checkout that your server has made.`,
  )
}
