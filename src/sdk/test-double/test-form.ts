import { CARD_FIELDS, FORM_FIELDS } from '../../contract/page/fields/card-fields.ts'
import type { FormField } from '../../contract/page/fields/card-fields.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'

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
export class TestForm {
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
    const added = fields?.filter(({ field }) => !CARD_FIELDS.includes(field)) ?? []
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
