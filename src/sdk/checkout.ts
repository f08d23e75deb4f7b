import type { FrameEvent, PaymentFailure, PaymentSuccessful } from '../contract/page/checkout-event.ts'
import { isReturnUrl } from '../contract/page/return-url.ts'
import { mergedSettings } from '../contract/page/merged-settings.ts'
import { layoutOf } from './iframe-host/form-layout.ts'
import { hostOf } from './iframe-host/frame-host.ts'
import { reportInConsole } from './iframe-host/report-in-console.ts'
import { authenticate } from './authenticate.ts'
import type { Authentication3ds } from './canvas-3ds.ts'
import { FramedForm } from './framed-form.ts'
import { WidgetError } from './widget-error.ts'
import { EventListeners } from './page/event-listeners.ts'
import { elementOf } from './page/page-input.ts'
import { CARD_ICONS } from '../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../contract/page/widget-settings.ts'
import { languageIn, layoutIn, stylesIn, textsIn, themeIn } from './settings/appearance.ts'
import { shownFields } from './settings/form-elements.ts'
import { knownNames, returnUrlIn } from './settings/merchant-input.ts'

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
  readonly #destroyed = new AbortController()

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
    const { isAsBuilt } = layout
    return this.#host.form.load({ container, ...target, isAsBuilt, layout: () => layout }, options?.signal)
  }

  /**
   * The page of the shop, such as the basket, to which a button leads back who can't pay here; it wins over the intent's
   * `return_url`. https, or http on localhost; it may be relative to this page. Another value is ignored with a warning.
   */
  setReturnUrl(url: string): this {
    this.#host.change(returnUrlIn(url))
    return this
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
    this.#destroyed.abort()
    this.#host.form.close()
  }

  /** The checkout itself finds out how that ended; a dialog that did not come is asked for anew, and in the end given up. */
  async #authenticate(asked: Authentication3ds): Promise<void> {
    const { language } = tokenContentOf(this.#token)
    const { signal } = this.#destroyed
    let is_done = false
    try {
      await authenticate(asked, {
        signal,
        prepare: (canvas) => hostOf(canvas).follow(this.#host, language),
      })
      is_done = true
    } catch (error) {
      if (error instanceof WidgetError) reportInConsole(error)
    }
    this.#host.form.session?.send({ command: 'settle', is_done })
  }

  #receive(event: FrameEvent): void {
    if (event.event === 'resize') this.#host.form.session?.fit(true)
    if (event.event === 'backToShop') leadBack(event.return_url)
    if (event.event === 'authenticationRequired') void this.#authenticate(event.authentication)
    if (event.event === 'systemError') {
      const { message, code } = event.error
      if (!this.#listeners.has('paymentFailure')) reportInConsole(event.error)
      this.#listeners.emit({ ...event, event: 'paymentFailure', result: { message, code } })
    } else this.#listeners.emit(event)
  }
}

/** Only to what a merchant may give as an address: the page is the merchant's, whatever the frame says. */
function leadBack(address: string): void {
  if (isReturnUrl(address)) location.assign(address)
}

/** A page without types may pass what has not come yet. */
function requireToken(token: unknown): void {
  if (typeof token === 'string') return
  throw new TypeError(
    `The token of the checkout is ${String(token)}. Pass the one that your server received.`,
  )
}

/** What a checkout's token says. It is not verified: the service does that, and explains a refusal. */
interface TokenContent {
  /** '' in text that is no token. */
  intentId: string
  /** Characters of the description. */
  description: number
  /** What the templates say of the form's shape; absent where they say nothing of how it looks. */
  form?: WidgetSettings
  language?: WidgetSettings['language']
}

/** Reads the intent's id and the shape of its checkout (`CheckoutShape`) out of a token. */
export function tokenContentOf(token: string): TokenContent {
  try {
    const [, payload = ''] = token.split('.')
    const { sub = '', shape } = partsOf(JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))))
    const { description, form, language } = partsOf(shape)
    return {
      intentId: String(sub),
      description: Number(description) || 0,
      ...(language !== undefined && languageIn(language)),
      ...(form !== undefined && { form: formIn(partsOf(form)) }),
    }
  } catch {
    return { intentId: '', description: 0 }
  }
}

function formIn({
  theme,
  layout,
  styles,
  texts,
  card_icons,
  fields,
}: Record<string, unknown>): WidgetSettings {
  return {
    ...themeIn({}, typeof theme === 'string' ? theme : 'plain'),
    ...(layout !== undefined && layoutIn(layout)),
    ...stylesIn(partsOf(styles)),
    ...textsIn(partsOf(texts)),
    ...(card_icons !== undefined && { card_icons: knownNames('card icons', CARD_ICONS, card_icons) }),
    ...(fields !== undefined && { fields: shownFields(fields) }),
  }
}

/** The parts of an object of JSON; none of anything else. */
function partsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' ? { ...value } : {}
}
