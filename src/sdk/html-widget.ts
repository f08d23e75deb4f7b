import type { FormField } from '../contract/card-fields.ts'
import type { FrameEvent } from '../contract/checkout-event.ts'
import type { FinishEvent } from '../contract/widget-event.ts'
import type { WidgetSettings } from '../contract/widget-settings.ts'
import { PAYMENT_TYPE, PURPOSE, TRIGGER } from './constants.ts'
import { checkKnown } from './check-known.ts'
import { containerSettings } from './container-settings.ts'
import { EventMethods } from './event-methods.ts'
import { FormInterceptor } from './form-interceptor.ts'
import type { FrameTarget } from './frame-session.ts'
import { mergedSettings } from '../contract/merged-settings.ts'
import { elementOf, formOf } from './page-input.ts'
import { reservedHeight } from './reserved-height.ts'
import { Submissions } from './submissions.ts'
import { destroyed, formNotLoaded } from './widget-faults.ts'

/** A card form of another origin inside the merchant's page; it hands back a one-time `payment_source`. */
export class HtmlWidget extends EventMethods {
  readonly #container: string | Element
  readonly #key: Record<string, string>
  readonly #submissions = new Submissions()
  readonly #interceptors: FormInterceptor[] = []
  /** What the container's attributes said at the last load; calls win over them. */
  #attributes: WidgetSettings = {}
  #fits = false

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
    super()
    checkKnown('payment type', [PAYMENT_TYPE.CARD], paymentType)
    checkKnown('purpose', [PURPOSE.PAYMENT_SOURCE], purpose)
    this.#container = container
    this.#key = { public_key: publicKey, gateway_id: gatewayId }
  }

  /**
   * Shows the form. The promise settles once it can be typed into, or with a `WidgetError`, or with the reason
   * of `signal`, which stops a load that is under way; at the latest after 15 s. While the form is there, a
   * second call answers with the same promise; after a fault it tries again.
   * @throws TypeError if the container matches nothing; everything later is a `systemError` event.
   */
  load(options?: { signal?: AbortSignal | undefined }): Promise<void> {
    return this.form.load(this.#target(), options?.signal)
  }

  /** Shows a new, empty form in place of this one, with the same settings and listeners. Settles as `load` does. */
  reload(): Promise<void> {
    this.#submissions.abandon(formNotLoaded())
    this.forgetValidity()
    return this.form.reload(this.#target())
  }

  /** Removes the form and forgets everything; a load or submit under way is rejected. Emits nothing from now on. */
  destroy(): void {
    for (const interceptor of this.#interceptors.splice(0)) interceptor.stop()
    this.forgetPage()
    this.form.close()
    this.#submissions.abandon(destroyed())
  }

  /** Lets the form follow the height of its content. */
  useAutoResize(): this {
    this.#fits = true
    this.form.session?.fit()
    return this
  }

  /**
   * Ties the card to a form of the page and hides the widget's own button: when that form is submitted, the card
   * is first; on `finish` the form goes on by `requestSubmit`, with the button that was pressed, so the page's own
   * validation and handlers run then, once.
   * @throws TypeError if that is no form of this page.
   */
  interceptSubmitForm(form: string | HTMLFormElement): this {
    this.#interceptors.push(new FormInterceptor(formOf(form), () => void this.submit()))
    return this.hideElements(['submit_button'])
  }

  /** Submits the card. The promise settles with the `finish` event, or with a `WidgetError` that says why not. */
  submit(): Promise<FinishEvent> {
    const finished = this.#submissions.next()
    if (this.form.ready) this.form.session?.send({ command: 'submit' })
    else this.tellFault(formNotLoaded())
    return finished
  }

  /** `trigger('submit_form')` submits the card, as `submit()` does; how it ends is told by the events. */
  trigger(name: 'submit_form'): this {
    checkKnown('trigger', [TRIGGER.SUBMIT_FORM], name)
    void this.submit()
    return this
  }

  /** Puts the focus into a field, or into the first that needs an answer; after a `finish` the card can be sent again. */
  focus(field?: FormField): this {
    this.form.session?.focus()
    this.form.session?.send({ command: 'focus', ...(field && { field }) })
    return this
  }

  /** Empties the form. */
  clear(): this {
    this.form.session?.send({ command: 'clear' })
    return this
  }

  /** Takes the form out of sight; with `saveSize` its place stays empty. What is typed stays. */
  hide(saveSize = false): this {
    this.form.present({ display: saveSize ? 'block' : 'none', visibility: 'hidden' })
    return this
  }

  /** Undoes `hide`. */
  show(): this {
    this.form.present({ display: 'block', visibility: 'visible' })
    return this
  }

  /** @internal */
  protected greeting() {
    return { settings: mergedSettings(this.#attributes, this.settings) }
  }

  /** @internal The page hears of it before its form goes on and leaves. */
  protected hear(event: FrameEvent): void {
    this.hearValidity(event)
    if (event.event === 'resize' && this.#fits) this.form.session?.fit()
    this.tellPage(event)
    for (const interceptor of this.#interceptors) interceptor.hear(event)
    this.#submissions.hear(event)
  }

  #target(): FrameTarget {
    const container = elementOf(this.#container)
    this.#attributes = containerSettings(container)
    return { container, ...this.addressOf('frame', this.#key), height: reservedHeight(this.settings) }
  }
}
