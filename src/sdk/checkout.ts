import type {
  CheckoutEventName,
  FrameEvent,
  FrameEventOf,
  PaymentFailure,
  PaymentSuccessful,
} from '../contract/page/checkout-event.ts'
import type {
  Element as FormPart,
  StyleKey,
  Styles,
  TextKey,
  Texts,
  Theme,
} from '../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../contract/page/widget-settings.ts'
import { elementStyleIn, languageIn, stylesIn, textsIn, themeIn } from './settings/appearance.ts'
import type { EnvironmentName } from './frame/environment.ts'
import { EventListeners } from './page/event-listeners.ts'
import { hostOf } from './frame/frame-host.ts'
import { intentIdOf } from './frame/intent-id.ts'
import { elementOf } from './page/page-input.ts'
import type { ElementStyles, StateOf } from './settings/styled-element.ts'

/** CSS pixels to keep free: what is to be paid, a card's four fields, the button. */
const HEIGHT = 460

/**
 * The whole checkout of an intent in the merchant's page: what is to be paid, the card form, the payment and how it
 * ended. It shows itself as soon as the running script has ended, so that all that is set right after its
 * birth counts. The looks and words that are set here win over those of the intent's template.
 */
export class Checkout {
  readonly #host = hostOf(this)
  readonly #container: Element
  readonly #token: string
  readonly #listeners = new EventListeners()

  /**
   * `container` is a selector or an element; `token` is the intent's, as the merchant's server got it.
   * @throws TypeError if the container matches nothing.
   */
  constructor(container: string | Element, token: string) {
    this.#container = elementOf(container)
    this.#token = token
    this.#host.connect({ greeting: () => ({ token }), hear: (event) => this.#hear(event) })
    queueMicrotask(() => void this.load())
  }

  /**
   * Shows the checkout, which it does by itself: only for those who want to wait for it, to stop it by `signal`, or to
   * try again after a fault. Settles as `HtmlWidget.load` does.
   */
  load(options?: { signal?: AbortSignal | undefined }): Promise<void> {
    const target = this.#host.addressOf('checkout', { intent_id: intentIdOf(this.#token) })
    return this.#host.form.load({ container: this.#container, ...target, height: HEIGHT }, options?.signal)
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
    this.#host.form.close()
  }

  /**
   * Chooses the environment for the next `load()`. `alias` is an own origin or host for it, such as
   * `https://cards.shop.example` or `cards.shop.example`, and wins over the one that the SDK knows.
   * @throws TypeError on an unknown name or an alias that is no host.
   */
  setEnv(name: EnvironmentName, alias?: string): this {
    this.#host.setEnvironment(name, alias)
    return this
  }

  /** Name of the environment: `sandbox` until `setEnv`. */
  getEnv(): EnvironmentName {
    return this.#host.environment
  }

  /** Changes some of the form's texts, at once if it is there. */
  setTexts(texts: Texts): this {
    return this.#change(textsIn(texts))
  }

  /** Changes one text of the form. */
  setText(key: TextKey, value: string): this {
    return this.setTexts({ [key]: value })
  }

  /** Changes some of the form's styles, at once if it is there. */
  setStyles(styles: Styles): this {
    return this.#change(stylesIn(styles))
  }

  /** Changes one style of the form. */
  setStyle(key: StyleKey, value: string): this {
    return this.setStyles({ [key]: value })
  }

  /** Styles one part of the form: `input` (also on `focus` and in `error`), `submit_button` (also on `hover`), … */
  setElementStyle(element: FormPart, styles: ElementStyles): this
  setElementStyle<Part extends FormPart>(
    element: Part,
    state: StateOf<Part> | null | undefined,
    styles: ElementStyles,
  ): this
  setElementStyle(
    element: FormPart,
    state: StateOf<FormPart> | ElementStyles | null | undefined,
    styles?: ElementStyles,
  ) {
    return this.#change(elementStyleIn(this.#host.settings, element, state, styles))
  }

  /** Chooses one of the named looks; styles go on top of it. */
  setTheme(name: Theme): this {
    return this.#change(themeIn(this.#host.settings, name))
  }

  /** Language of the built-in texts, such as `fr` or `pt-BR`; English for one that is not built in. */
  setLanguage(code: string): this {
    return this.#change(languageIn(code))
  }

  #hear(event: FrameEvent): void {
    if (event.event === 'resize') this.#host.form.session?.fit()
    if (event.event === 'systemError') {
      const { message, code } = event.error
      this.#listeners.tell({ ...event, event: 'paymentFailure', result: { message, code } })
    } else this.#listeners.tell(event)
  }

  #change(change: WidgetSettings): this {
    this.#host.change(change)
    return this
  }

  #on<Name extends CheckoutEventName>(name: Name, callback: (event: FrameEventOf<Name>) => void): this {
    this.#listeners.add(name, callback)
    return this
  }
}
