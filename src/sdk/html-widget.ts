import type { FormField } from '../contract/page/fields/card-fields.ts'
import { mergedSettings } from '../contract/page/merged-settings.ts'
import { EVENT_NAMES } from '../contract/page/widget-event.ts'
import type { EventName, EventOf, FinishEvent } from '../contract/page/widget-event.ts'
import type { WidgetSettings } from '../contract/page/widget-settings.ts'
import { requireKnown, knownNames } from './settings/merchant-input.ts'
import { PAYMENT_TYPE, PURPOSE, TRIGGER } from './constants.ts'
import { containerSettings } from './settings/appearance.ts'
import { reportInConsole } from './iframe-host/report-in-console.ts'
import { rootsAround, elementOf, formOf } from './page/page-input.ts'
import { hostOf } from './iframe-host/frame-host.ts'
import { EventDispatcher, isDone } from './page/event-dispatcher.ts'
import { layoutOf, looksAsBuilt } from './iframe-host/form-layout.ts'
import { SettableForm } from './settable-form.ts'
import { failsBy } from './page/validity.ts'
import type { ValidationState } from './page/validity.ts'
import { keyFault } from './iframe-host/load-faults.ts'

/** A card form in a frame of another origin. It returns a one-time `payment_source` token to the merchant's page. */
export class HtmlWidget extends SettableForm {
  readonly #host = hostOf(this)
  readonly #container: string | Element
  readonly #key: { public_key: string; gateway_id: string }
  readonly #events = new EventDispatcher()
  /** Settings from the container's attributes at the last load. Calls win over them. */
  #attributes: WidgetSettings = {}
  #autoResizes = false

  /** `container` is a selector or an element. With the `gatewayId` `'not_configured'` any gateway accepts the token. */
  constructor(
    container: string | Element,
    publicKey: string,
    gatewayId = 'default',
    paymentType: 'card' = PAYMENT_TYPE.CARD,
    purpose: 'payment_source' = PURPOSE.PAYMENT_SOURCE,
  ) {
    super()
    requireKnown('payment type', [PAYMENT_TYPE.CARD], paymentType)
    requireKnown('purpose', [PURPOSE.PAYMENT_SOURCE], purpose)
    this.#container = container
    this.#key = { public_key: publicKey, gateway_id: gatewayId }
    this.#host.connect(container, {
      welcome: () => ({ settings: mergedSettings(this.#attributes, this.#host.settings) }),
      receive: (event) => {
        const { session } = this.#host.form
        if (event.event === 'resize') session?.fit(this.#autoResizes)
        if (event.event === 'validationError' && this.#events.submissions.hasFocus) this.focus()
        const work = this.#events.dispatch(event)
        if (event.event === 'finish')
          void isDone(work).then((is_done) => {
            this.#events.submissions.settle(is_done)
            session?.send({ command: 'settle', is_done })
          })
      },
    })
  }

  /**
   * Shows the form. The promise resolves once the form can be typed into. It rejects with a `WidgetError`, at the latest
   * after 15 s, or with the reason of `signal`, which stops the load. A second call returns the same promise, or tries again
   * after a fault.
   * @throws TypeError if the container matches nothing; later faults are `systemError` events.
   */
  load(options?: { signal?: AbortSignal | undefined }): Promise<void> {
    return this.#host.form.load(this.#target(), options?.signal)
  }

  /** Replaces the form with a new, empty one with the same settings and listeners. Settles as `load` does. */
  reload(): Promise<void> {
    this.#events.reset()
    return this.#host.form.reload(this.#target())
  }

  /** Removes the form and all listeners. A pending load or submit is rejected, and nothing more is emitted. */
  destroy(): void {
    this.#events.close()
    this.#host.form.close()
  }

  /**
   * Calls back on each event of this name; without a callback, returns a promise of the next one. That promise stays pending
   * if the event never comes, also after `destroy()` and `off()`. A callback of `finish` may return a promise: the form stays
   * busy until it settles. Then it holds no digits and shows which card it received. If the promise is rejected or resolves with `false`,
   * the form keeps the card, which can be submitted again.
   * @throws TypeError on an unknown name.
   */
  on<Name extends EventName>(event: Name): Promise<EventOf<Name>>
  on<Name extends EventName>(event: Name, callback: (event: EventOf<Name>) => unknown): this
  on<Name extends EventName>(event: Name, callback?: (event: EventOf<Name>) => unknown) {
    requireKnown('event', EVENT_NAMES, event)
    if (!callback) return new Promise((resolve) => this.#events.listeners.once(event, resolve))
    this.#events.listeners.add(event, callback)
    return this
  }

  /** Removes one callback of an event, or all of them. */
  off<Name extends EventName>(event: Name, callback?: (event: EventOf<Name>) => unknown): this {
    requireKnown('event', EVENT_NAMES, event)
    this.#events.listeners.remove(event, callback)
    return this
  }

  /**
   * On each `finish`, writes `event[key]` into every input that matches and fires `input` and `change` on it, before the
   * page's own callbacks run.
   * @throws DOMException on an invalid selector.
   */
  onFinishInsert(selector: string, key: keyof FinishEvent): this {
    this.#events.insertBy(finishInsert(selector, key, this.#container))
    return this
  }

  /** Keeps the frame as high as its content. Without this it only grows, so that nothing of the form is cut off. */
  useAutoResize(): this {
    this.#autoResizes = true
    this.#host.form.session?.fit(true)
    return this
  }

  /**
   * Submits the card together with a form of the page, and hides the widget's own button. Submitting that form tokenises the
   * card first. On `finish` the form is submitted by `requestSubmit` with the button that was pressed, so the page's
   * validation and handlers run once.
   * @throws TypeError if that is no form of this page.
   */
  interceptSubmitForm(form: string | HTMLFormElement): this {
    this.#events.intercept(formOf(form, this.#container), () => void this.submit())
    return this.hideElements(['submit_button'])
  }

  /** Submits the card. The promise resolves with the `finish` event, or rejects with a `WidgetError`. */
  submit(): Promise<FinishEvent> {
    const { submissions } = this.#events
    const finished = submissions.next()
    if (submissions.hasToken) return finished
    if (this.#host.form.ready) this.#host.form.session?.send({ command: 'submit' })
    else this.#host.reportFault(this.#host.form.absence)
    return finished
  }

  /** `trigger('submit_form')` submits the card, as `submit()` does. The outcome comes as an event. */
  trigger(name: 'submit_form'): this {
    requireKnown('trigger', [TRIGGER.SUBMIT_FORM], name)
    void this.submit()
    return this
  }

  /** Focuses a field, or the first one that is not valid. After a `finish` a card can then be typed in again. */
  focus(field?: FormField): this {
    this.#host.form.session?.focus()
    this.#host.form.session?.send({ command: 'focus', ...(field && { field }) })
    return this
  }

  /** Empties every field. After a `finish` a card can then be typed in again. */
  clear(): this {
    this.#host.form.session?.send({ command: 'clear' })
    return this
  }

  /** Hides the form; with `saveSize` its space stays free. What was typed is kept. */
  hide(saveSize = false): this {
    this.#host.form.setVisibility({ display: saveSize ? 'block' : 'none', visibility: 'hidden' })
    return this
  }

  /** Undoes `hide`. */
  show(): this {
    this.#host.form.setVisibility({ display: 'block', visibility: 'visible' })
    return this
  }

  /** The state that the last `validation` event reported. */
  getValidationState(): ValidationState {
    return this.#events.validity
  }

  /** Whether every field is valid, so that the form could be submitted. */
  isValidForm(): boolean {
    return this.#events.validity.form_valid
  }

  /** Whether a field is invalid, whether or not the shopper sees an error. */
  isInvalidField(field: FormField): boolean {
    return this.#events.validity.invalid_fields.includes(field)
  }

  /** Whether a field shows an error. */
  isFieldErrorShowed(field: FormField): boolean {
    return this.#events.validity.invalid_showed_fields.includes(field)
  }

  /** Whether a field fails one check. */
  isInvalidFieldByValidator(field: FormField, validator: keyof ValidationState['validators']): boolean {
    return failsBy(this.#events.validity, field, validator)
  }

  #target() {
    const container = elementOf(this.#container)
    this.#attributes = containerSettings(container)
    const settings = mergedSettings(this.#attributes, this.#host.settings)
    const layout = () => layoutOf(settings, container.clientWidth)
    const fault = keyFault(this.#key.public_key)
    const isAsBuilt = looksAsBuilt(settings)
    return { container, ...this.#host.addressOf('frame', this.#key), isAsBuilt, layout, fault }
  }
}

/** Keys of the finish event, for pages without types. */
const KEYS = ['payment_source', 'event', 'purpose', 'message_source', 'ref_id', 'widget_id'] as const

/**
 * Returns a handler for `finish` that writes `event[key]` into every input that matches then, in the document and in the shadow
 * tree around `container`, and fires `input` and `change` on it. That none matches is a line in the console. Throws at once on an
 * invalid selector.
 */
function finishInsert(
  selector: string,
  key: keyof FinishEvent,
  container: string | Element,
): (event: FinishEvent) => void {
  document.querySelector(selector)
  const known = knownNames('finish keys', KEYS, [key])
  return (event) => {
    const found = rootsAround(container).flatMap((root) => [...root.querySelectorAll(selector)])
    const inputs = found.filter((element) => element instanceof HTMLInputElement)
    for (const input of inputs) for (const name of known) fill(input, event[name])
    if (inputs.length === 0)
      reportInConsole({ code: 'no_input', message: `onFinishInsert: no input matches '${selector}'.` })
  }
}

/** Uses the prototype's setter: React puts its own setter on the element, which would hide the change. */
function fill(input: HTMLInputElement, value: string): void {
  Reflect.set(HTMLInputElement.prototype, 'value', value, input)
  for (const name of ['input', 'change']) input.dispatchEvent(new Event(name, { bubbles: true }))
}
