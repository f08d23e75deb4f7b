import type { FormField } from '../contract/page/card-fields.ts'
import { mergedSettings } from '../contract/page/merged-settings.ts'
import { EVENT_NAMES } from '../contract/page/widget-event.ts'
import type { EventName, EventOf, FinishEvent } from '../contract/page/widget-event.ts'
import type { WidgetSettings } from '../contract/page/widget-settings.ts'
import { checkKnown } from './settings/check-known.ts'
import { PAYMENT_TYPE, PURPOSE, TRIGGER } from './constants.ts'
import { containerSettings } from './settings/container-settings.ts'
import { finishInsert } from './page/finish-insert.ts'
import { hostOf } from './frame/frame-host.ts'
import type { FrameTarget } from './frame/frame-session.ts'
import { PageAudience } from './page/page-audience.ts'
import { elementOf, formOf } from './page/page-input.ts'
import { reservedHeight } from './frame/reserved-height.ts'
import { SettableForm } from './settable-form.ts'
import type { ValidationState } from './page/validity.ts'
import { formNotLoaded } from './frame/widget-faults.ts'

/** A card form of another origin inside the merchant's page; it hands back a one-time `payment_source`. */
export class HtmlWidget extends SettableForm {
  readonly #host = hostOf(this)
  readonly #container: string | Element
  readonly #key: Record<string, string>
  readonly #audience = new PageAudience()
  /** What the container's attributes said at the last load; calls win over them. */
  #attributes: WidgetSettings = {}
  #fits = false

  /** `container` is a selector or an element; a token for the `gatewayId` `'not_configured'` is taken by any gateway. */
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
    this.#host.connect({
      greeting: () => ({ settings: mergedSettings(this.#attributes, this.#host.settings) }),
      hear: (event) => {
        if (event.event === 'resize' && this.#fits) this.#host.form.session?.fit()
        this.#audience.hear(event)
      },
    })
  }

  /**
   * Shows the form. The promise settles once it can be typed into, or with a `WidgetError`, or with the reason of
   * `signal`, which stops a load; at the latest after 15 s. A second call gets the same promise, or another try after a fault.
   * @throws TypeError if the container matches nothing; everything later is a `systemError` event.
   */
  load(options?: { signal?: AbortSignal | undefined }): Promise<void> {
    return this.#host.form.load(this.#target(), options?.signal)
  }

  /** Shows a new, empty form in place of this one, with the same settings and listeners. Settles as `load` does. */
  reload(): Promise<void> {
    this.#audience.startAnew()
    return this.#host.form.reload(this.#target())
  }

  /** Removes the form and forgets everything; a load or submit under way is rejected. Emits nothing from now on. */
  destroy(): void {
    this.#audience.dismiss()
    this.#host.form.close()
  }

  /**
   * Calls back on each such event, or without a callback promises the first one. That promise stays pending if
   * the event never comes, also after `destroy()` and `off()`.
   * @throws TypeError on a name that is no event.
   */
  on<Name extends EventName>(event: Name): Promise<EventOf<Name>>
  on<Name extends EventName>(event: Name, callback: (event: EventOf<Name>) => void): this
  on<Name extends EventName>(event: Name, callback?: (event: EventOf<Name>) => void) {
    checkKnown('event', EVENT_NAMES, event)
    if (!callback) return new Promise((resolve) => this.#audience.listeners.once(event, resolve))
    this.#audience.listeners.add(event, callback)
    return this
  }

  /** Takes back one callback, or all of an event. */
  off<Name extends EventName>(event: Name, callback?: (event: EventOf<Name>) => void): this {
    checkKnown('event', EVENT_NAMES, event)
    this.#audience.listeners.remove(event, callback)
    return this
  }

  /**
   * On each `finish` writes `event[key]` into every input that matches, before the page's own callbacks run, and
   * fires `input` and `change` on it.
   * @throws DOMException on a selector that is none.
   */
  onFinishInsert(selector: string, key: keyof FinishEvent): this {
    this.#audience.insertBy(finishInsert(selector, key))
    return this
  }

  /** Lets the form follow the height of its content. */
  useAutoResize(): this {
    this.#fits = true
    this.#host.form.session?.fit()
    return this
  }

  /**
   * Ties the card to a form of the page and hides the widget's own button: submitting that form tokenises the card first; on
   * `finish` it goes on by `requestSubmit`, with the button that was pressed, so the page's validation and handlers run once.
   * @throws TypeError if that is no form of this page.
   */
  interceptSubmitForm(form: string | HTMLFormElement): this {
    this.#audience.intercept(formOf(form), () => void this.submit())
    return this.hideElements(['submit_button'])
  }

  /** Submits the card. The promise settles with the `finish` event, or with a `WidgetError` that says why not. */
  submit(): Promise<FinishEvent> {
    const finished = this.#audience.submissions.next()
    if (this.#host.form.ready) this.#host.form.session?.send({ command: 'submit' })
    else this.#host.tellFault(formNotLoaded())
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
    this.#host.form.session?.focus()
    this.#host.form.session?.send({ command: 'focus', ...(field && { field }) })
    return this
  }

  /** Empties the form. */
  clear(): this {
    this.#host.form.session?.send({ command: 'clear' })
    return this
  }

  /** Takes the form out of sight; with `saveSize` its place stays empty. What is typed stays. */
  hide(saveSize = false): this {
    this.#host.form.present({ display: saveSize ? 'block' : 'none', visibility: 'hidden' })
    return this
  }

  /** Undoes `hide`. */
  show(): this {
    this.#host.form.present({ display: 'block', visibility: 'visible' })
    return this
  }

  /** What the form's last `validation` event said. */
  getValidationState(): ValidationState {
    return this.#audience.validity.state
  }

  /** Whether the form could be submitted as it is. */
  isValidForm(): boolean {
    return this.#audience.validity.state.form_valid
  }

  /** Whether a field has no valid content, shown to the shopper or not. */
  isInvalidField(field: FormField): boolean {
    return this.#audience.validity.state.invalid_fields.includes(field)
  }

  /** Whether the shopper sees an error at a field. */
  isFieldErrorShowed(field: FormField): boolean {
    return this.#audience.validity.state.invalid_showed_fields.includes(field)
  }

  /** Whether a field fails one certain check. */
  isInvalidFieldByValidator(field: FormField, validator: keyof ValidationState['validators']): boolean {
    return this.#audience.validity.failsBy(field, validator)
  }

  #target(): FrameTarget {
    const container = elementOf(this.#container)
    this.#attributes = containerSettings(container)
    const height = reservedHeight(this.#host.settings)
    return { container, ...this.#host.addressOf('frame', this.#key), height }
  }
}
