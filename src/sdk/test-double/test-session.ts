import type { FormErrorCode } from '../../contract/page/form-error-code.ts'
import type { FormField } from '../../contract/page/fields/card-fields.ts'
import type { Command } from '../../contract/page/widget-channel.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import type { Visibility } from '../iframe-host/frame-element.ts'
import type { FormSession, SessionCallbacks } from '../iframe-host/frame-session.ts'
import type { FrameTarget } from '../iframe-host/frame-element.ts'
import { mergedSettings } from '../../contract/page/merged-settings.ts'
import { removeElement } from '../iframe-host/early-frame.ts'
import { WidgetError } from '../widget-error.ts'
import type { FrameEventContent } from '../../contract/page/checkout-event.ts'
import { CARD_FIELDS, FORM_FIELDS, HOLDER_FIELDS } from '../../contract/page/fields/card-fields.ts'

/** How loads and submits end, until the test changes it. */
export interface Outcomes {
  load: { code: FormErrorCode; message: string; retryable: boolean } | undefined
  submit: () => FrameEventContent
}

/** A form without frame and network, whose loads and submits end as the test has set. */
export class TestSession implements FormSession {
  readonly #callbacks: SessionCallbacks
  readonly #outcomes: Outcomes
  readonly #form: TestForm
  #settings: WidgetSettings
  #ended = false

  constructor({ container }: FrameTarget, callbacks: SessionCallbacks, outcomes: Outcomes) {
    this.#callbacks = callbacks
    this.#outcomes = outcomes
    this.#settings = callbacks.welcome().settings
    this.#form = new TestForm({
      focus: (field) => this.emit({ event: 'focus', field }),
      blur: (field) => this.emit({ event: 'blur', field }),
      change: () => this.#emitValidity(),
      submit: () => this.#submit(),
    })
    this.#form.show(this.#settings)
    // Also those of the page's own markup, which would ask the network.
    for (const frame of container.querySelectorAll(':scope > iframe')) removeElement(frame)
    container.append(this.#form.element)
    queueMicrotask(() => this.#load())
  }

  /** The settings that the form has received. */
  get settings(): WidgetSettings {
    return this.#settings
  }

  get isDetached(): boolean {
    return !this.#form.element.isConnected
  }

  send(command: Command): void {
    if (command.command === 'set') this.#set(command.settings)
    if (command.command === 'submit') this.#submit()
    if (command.command === 'clear') this.#form.clear()
    if (command.command === 'focus')
      this.#form.focus(command.field ?? this.#form.missing()[0] ?? 'card_number')
  }

  setVisibility(visibility: Visibility): void {
    Object.assign(this.#form.element.style, visibility)
  }

  /** A form in the page needs neither: it has its own height, and focuses its own fields. */
  fit(): void {
    return undefined
  }
  focus(): void {
    return undefined
  }

  end(): void {
    this.#ended = true
    this.#form.element.remove()
  }

  fill(values: Partial<Record<FormField, string>>): void {
    this.#form.fill(values)
  }

  /** Emits an event with the fields of every event; does nothing after `end`. */
  emit(event: FrameEventContent): void {
    if (this.#ended) return
    const { widget_id, settings } = this.#callbacks.welcome()
    const ref_id = settings.ref_id ?? ''
    this.#callbacks.receive({
      ...event,
      purpose: 'payment_source',
      message_source: 'widget.svc',
      ref_id,
      widget_id,
    })
  }

  #load(): void {
    const { load } = this.#outcomes
    if (!load) this.emit({ event: 'afterLoad' })
    else if (!this.#ended) {
      this.end()
      this.#callbacks.fail(new WidgetError(load))
    }
  }

  #set(settings: WidgetSettings): void {
    this.#settings = mergedSettings(this.#settings, settings)
    this.#form.show(this.#settings)
  }

  #submit(): void {
    const missing = this.#form.missing()
    if (missing.length > 0) {
      const error = { code: 'validation_error' as const, message: 'Some fields are empty.', details: [] }
      this.emit({ event: 'validationError', error, invalid_fields: missing })
      return
    }
    this.emit({ event: 'submit' })
    queueMicrotask(() => this.emit(this.#outcomes.submit()))
  }

  #emitValidity(): void {
    const missing = this.#form.missing()
    this.emit({
      event: 'validation',
      form_valid: missing.length === 0,
      invalid_fields: missing,
      invalid_showed_fields: [],
      validators: { required: missing, cardNumberValidator: [], expireDateValidation: [] },
    })
  }
}

interface FormCallbacks {
  focus: (field: FormField) => void
  blur: (field: FormField) => void
  change: () => void
  submit: () => void
}

/**
 * A card form's fields as plain inputs in the page, which a test finds by their labels. The inputs have no names and no form
 * element, so that a surrounding form is not affected.
 */
class TestForm {
  readonly element = document.createElement('div')
  readonly #callbacks: FormCallbacks
  readonly #inputs = new Map<FormField, HTMLInputElement>()
  #required: FormField[] = []

  constructor(callbacks: FormCallbacks) {
    this.#callbacks = callbacks
    this.element.dataset['testid'] = 'svc-card-form'
  }

  /** Renders the fields of the settings. What was typed is kept. */
  show({ fields, labels, placeholders, values, hidden = [], texts }: WidgetSettings): void {
    const added = fields?.filter(({ field }) => HOLDER_FIELDS.some((name) => name === field)) ?? []
    this.#required = [...CARD_FIELDS, ...added.filter(({ required }) => required).map(({ field }) => field)]
    const shown = [...CARD_FIELDS, ...added.map(({ field }) => field)].filter(
      (field) => !hidden.includes(field),
    )
    const rows = shown.map((field) => {
      const input = this.#input(field)
      input.placeholder = placeholders?.[field] ?? ''
      if (values?.[field] !== undefined && input.value === '') input.value = values[field]
      const label = document.createElement('label')
      label.append(labels?.[field] ?? field.replaceAll('_', ' '), input)
      return label
    })
    this.element.replaceChildren(...rows, ...(hidden.includes('submit_button') ? [] : [this.#button(texts)]))
  }

  fill(values: Partial<Record<FormField, string>>): void {
    for (const field of FORM_FIELDS) {
      const value = values[field]
      if (value !== undefined) this.#input(field).value = value
    }
    this.#callbacks.change()
  }

  clear(): void {
    for (const input of this.#inputs.values()) input.value = ''
    this.#callbacks.change()
  }

  focus(field: FormField): void {
    this.#input(field).focus()
  }

  valueOf(field: FormField): string {
    return this.#inputs.get(field)?.value ?? ''
  }

  /** Required fields that are empty. */
  missing(): FormField[] {
    return this.#required.filter((field) => this.valueOf(field).trim() === '')
  }

  #input(field: FormField): HTMLInputElement {
    const input = this.#inputs.get(field) ?? document.createElement('input')
    if (!this.#inputs.has(field)) {
      input.addEventListener('input', () => this.#callbacks.change())
      input.addEventListener('focus', () => this.#callbacks.focus(field))
      input.addEventListener('blur', () => this.#callbacks.blur(field))
      this.#inputs.set(field, input)
    }
    return input
  }

  #button(texts: WidgetSettings['texts']): HTMLButtonElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = texts?.submit_button ?? 'Submit'
    button.addEventListener('click', () => this.#callbacks.submit())
    return button
  }
}
