import { STYLE_KEYS, TEXT_KEYS } from '../contract/widget-appearance.ts'
import type { StyleKey, Styles, TextKey, Texts } from '../contract/widget-appearance.ts'
import { PROTOCOL } from '../contract/widget-channel.ts'
import type { EventBase, EventName, EventOf, FinishEvent, WidgetEvent } from '../contract/widget-event.ts'
import { PAYMENT_TYPE, PURPOSE, VERSION } from './constants.ts'
import { checkEnvironment, widgetOrigin } from './environment.ts'
import type { EnvironmentName } from './environment.ts'
import { EventListeners } from './event-listeners.ts'
import { finishInsert } from './finish-insert.ts'
import { FormLoader } from './form-loader.ts'
import { knownEntries } from './known-entries.ts'
import { randomUuid } from './random-uuid.ts'

/** A card form of another origin inside the merchant's page; it hands back a one-time `payment_source`. */
export class HtmlWidget {
  readonly #container: string | Element
  readonly #query: string
  readonly #id = randomUuid()
  readonly #setup: { ref_id: string; texts: Texts; styles: Styles } = { ref_id: '', texts: {}, styles: {} }
  /** The widget's own listeners come first: an input is filled before the page's callback submits its form. */
  readonly #own = new EventListeners()
  readonly #listeners = new EventListeners()
  readonly #form = new FormLoader({
    welcome: () => ({ channel: 'widget.svc', protocol: PROTOCOL, widget_id: this.#id, ...this.#setup }),
    receive: (event) => this.#tell(event),
    fail: ({ code, message, retryable }) =>
      this.#tell({ event: 'systemError', ...this.#base(), error: { code, message, retryable } }),
  })
  #environment: EnvironmentName = 'sandbox'
  #origin = widgetOrigin('sandbox')

  /**
   * `container` is a selector or an element. `gatewayId` `'default'` is the merchant's default gateway;
   * `'not_configured'` makes a token that any gateway may use.
   */
  constructor(
    container: string | Element,
    publicKey: string,
    gatewayId = 'default',
    paymentType: 'card' = PAYMENT_TYPE.CARD,
    purpose: 'payment_source' = PURPOSE.PAYMENT_SOURCE,
  ) {
    checkOneOf('payment type', PAYMENT_TYPE, paymentType)
    checkOneOf('purpose', PURPOSE, purpose)
    this.#container = container
    this.#query = String(new URLSearchParams({ public_key: publicKey, gateway_id: gatewayId }))
  }

  /**
   * Shows the form. The promise settles once it can be typed into, or with a `WidgetError`, or with the reason
   * of `signal`, which stops a load that is under way; at the latest after 15 s. While the form is there, a
   * second call answers with the same promise; after a fault it tries again.
   * @throws TypeError if the container matches nothing; everything later is a `systemError` event.
   */
  load(options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    const path = `/sdk/v${VERSION}/frame?${this.#query}`
    return this.#form.load(
      { container: elementOf(this.#container), origin: this.#origin, path },
      options.signal,
    )
  }

  /**
   * Calls back on each such event, or without a callback promises the first one. That promise stays pending if
   * the event never comes, also after `destroy()` and `off()`.
   * @throws TypeError on a name that is no event.
   */
  on<Name extends EventName>(event: Name): Promise<EventOf<Name>>
  on<Name extends EventName>(event: Name, callback: (event: EventOf<Name>) => void): this
  on<Name extends EventName>(event: Name, callback?: (event: EventOf<Name>) => void) {
    if (!callback) return new Promise((resolve) => this.#listeners.once(event, resolve))
    this.#listeners.add(event, callback)
    return this
  }

  /** Takes back one callback, or all of an event. */
  off<Name extends EventName>(event: Name, callback?: (event: EventOf<Name>) => void): this {
    this.#listeners.remove(event, callback)
    return this
  }

  /** Removes the form and forgets everything; a load under way is rejected. Emits nothing from now on. */
  destroy(): void {
    this.#own.clear()
    this.#listeners.clear()
    this.#form.close()
  }

  /**
   * Chooses the environment for the next `load()`. `alias` is an own origin or host for it, such as
   * `https://cards.shop.example` or `cards.shop.example`, and wins over the one that the SDK knows.
   * @throws TypeError on an unknown name or an alias that is no host.
   */
  setEnv(name: EnvironmentName, alias?: string): this {
    checkEnvironment(name)
    this.#origin = widgetOrigin(name, alias)
    this.#environment = name
    return this
  }

  /** Name of the environment: `sandbox` until `setEnv`. */
  getEnv(): EnvironmentName {
    return this.#environment
  }

  /** Changes some of the form's texts, at once if it is there. */
  setTexts(texts: Texts): this {
    const known = knownEntries('texts', TEXT_KEYS, texts)
    Object.assign(this.#setup.texts, known)
    this.#form.send({ command: 'set_texts', texts: known })
    return this
  }

  setText(key: TextKey, value: string): this {
    return this.setTexts({ [key]: value })
  }

  /** Changes some of the form's styles, at once if it is there. */
  setStyles(styles: Styles): this {
    const known = knownEntries('styles', STYLE_KEYS, styles)
    Object.assign(this.#setup.styles, known)
    this.#form.send({ command: 'set_styles', styles: known })
    return this
  }

  setStyle(key: StyleKey, value: string): this {
    return this.setStyles({ [key]: value })
  }

  /** A reference of the merchant's own that every event echoes as `ref_id`. */
  setRefId(id: string | number): this {
    this.#setup.ref_id = String(id)
    this.#form.send({ command: 'set_ref_id', ref_id: this.#setup.ref_id })
    return this
  }

  /** Lets the iframe follow the height of its content. */
  useAutoResize(): this {
    this.#own.add('resize', this.#fit)
    this.#fit()
    return this
  }

  /**
   * On each `finish` writes `event[key]` into every input that matches, before the page's own callbacks run, and
   * fires `input` and `change` on it.
   * @throws DOMException on a selector that is none.
   */
  onFinishInsert(selector: string, key: keyof FinishEvent): this {
    this.#own.add('finish', finishInsert(selector, key))
    return this
  }

  readonly #fit = () => this.#form.fit()

  #tell(event: WidgetEvent): void {
    this.#own.tell(event)
    this.#listeners.tell(event)
  }

  #base(): EventBase {
    const { ref_id } = this.#setup
    return { purpose: 'payment_source', message_source: 'widget.svc', ref_id, widget_id: this.#id }
  }
}

function elementOf(container: string | Element): Element {
  const element = typeof container === 'string' ? document.querySelector(container) : container
  if (element) return element
  const what = typeof container === 'string' ? `the selector "${container}"` : 'the given element'
  throw new TypeError(`The card form was given no place to go: ${what} matches nothing in this page.`)
}

/** A page without types may ask for what this SDK has not. */
function checkOneOf(what: string, known: Record<string, string>, given: string): void {
  const names = Object.values(known)
  if (!names.includes(given)) throw new TypeError(`Unknown ${what} "${given}". Known: ${names.join(', ')}.`)
}
