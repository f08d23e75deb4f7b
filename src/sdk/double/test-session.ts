import type { FormField } from '../../contract/page/card-fields.ts'
import type { Command } from '../../contract/page/widget-channel.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import type { Presence } from '../frame/frame-element.ts'
import type { FormSession, FrameTarget, SessionParts } from '../frame/frame-session.ts'
import { mergedSettings } from '../../contract/page/merged-settings.ts'
import { WidgetError } from '../widget-error.ts'
import type { OwnEvent } from './own-event.ts'
import { TestForm } from './test-form.ts'

/** How loads and submits are to end; what a test says holds until it says otherwise. */
export interface Script {
  load: { code: string; message: string; retryable: boolean } | undefined
  submit: () => OwnEvent
}

/** The form of a widget without a frame and without a network: it does in the page what the script says. */
export class TestSession implements FormSession {
  readonly #parts: SessionParts
  readonly #script: Script
  readonly #form: TestForm
  #settings: WidgetSettings
  #over = false

  constructor({ container }: FrameTarget, parts: SessionParts, script: Script) {
    this.#parts = parts
    this.#script = script
    this.#settings = parts.welcome().settings
    this.#form = new TestForm({
      focus: (field) => this.emit({ event: 'focus', field }),
      blur: (field) => this.emit({ event: 'blur', field }),
      change: () => this.#tellValidity(),
      submit: () => this.#submit(),
    })
    this.#form.show(this.#settings)
    container.append(this.#form.element)
    queueMicrotask(() => this.#begin())
  }

  /** What the form was told. */
  get settings(): WidgetSettings {
    return this.#settings
  }

  /** Whether the page has taken the form out by itself. */
  get gone(): boolean {
    return !this.#form.element.isConnected
  }

  send(command: Command): void {
    if (command.command === 'set') this.#set(command.settings)
    if (command.command === 'submit') this.#submit()
    if (command.command === 'clear') this.#form.clear()
    if (command.command === 'focus')
      this.#form.focus(command.field ?? this.#form.missing()[0] ?? 'card_number')
  }

  present(presence: Presence): void {
    Object.assign(this.#form.element.style, presence)
  }

  /** A form in the page has its height by itself, and takes the focus by a field of its own. */
  fit(): void {
    return undefined
  }
  focus(): void {
    return undefined
  }

  end(): void {
    this.#over = true
    this.#form.element.remove()
  }

  fill(values: Partial<Record<FormField, string>>): void {
    this.#form.fill(values)
  }

  /** Nothing is heard of a form that has ended. */
  emit(event: OwnEvent): void {
    if (this.#over) return
    const { widget_id, settings } = this.#parts.welcome()
    const ref_id = settings.ref_id ?? ''
    this.#parts.receive({
      ...event,
      purpose: 'payment_source',
      message_source: 'widget.svc',
      ref_id,
      widget_id,
    })
  }

  #begin(): void {
    const { load } = this.#script
    if (!load) this.emit({ event: 'afterLoad' })
    else if (!this.#over) {
      this.end()
      this.#parts.fail(new WidgetError(load))
    }
  }

  #set(settings: WidgetSettings): void {
    this.#settings = mergedSettings(this.#settings, settings)
    this.#form.show(this.#settings)
  }

  #submit(): void {
    const missing = this.#form.missing()
    if (missing.length > 0) {
      const error = { code: 'validation_error', message: 'Some fields are empty.', details: [] }
      this.emit({ event: 'validationError', error, invalid_fields: missing })
      return
    }
    this.emit({ event: 'submit' })
    queueMicrotask(() => this.emit(this.#script.submit()))
  }

  #tellValidity(): void {
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
