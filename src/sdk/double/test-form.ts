import { CARD_FIELDS, FORM_FIELDS } from '../../contract/page/card-fields.ts'
import type { FormField } from '../../contract/page/card-fields.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'

interface FormParts {
  focus: (field: FormField) => void
  blur: (field: FormField) => void
  change: () => void
  submit: () => void
}

/**
 * The fields of a card form as plain inputs in the page itself, so that a test finds them by their labels. Without
 * names, and not a form, so that a form around it is not touched.
 */
export class TestForm {
  readonly element = document.createElement('div')
  readonly #parts: FormParts
  readonly #inputs = new Map<FormField, HTMLInputElement>()
  #required: FormField[] = []

  constructor(parts: FormParts) {
    this.#parts = parts
    this.element.dataset['testid'] = 'svc-card-form'
  }

  /** Shows what the settings say; what is typed stays. */
  show({ fields, labels, placeholders, values, hidden = [], texts }: WidgetSettings): void {
    const own = fields?.filter(({ field }) => !CARD_FIELDS.includes(field)) ?? []
    this.#required = [...CARD_FIELDS, ...own.filter(({ required }) => required).map(({ field }) => field)]
    const shown = [...CARD_FIELDS, ...own.map(({ field }) => field)].filter(
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
    this.#parts.change()
  }

  clear(): void {
    for (const input of this.#inputs.values()) input.value = ''
    this.#parts.change()
  }

  focus(field: FormField): void {
    this.#input(field).focus()
  }

  valueOf(field: FormField): string {
    return this.#inputs.get(field)?.value ?? ''
  }

  /** Fields that must have something in them and have not. */
  missing(): FormField[] {
    return this.#required.filter((field) => this.valueOf(field).trim() === '')
  }

  #input(field: FormField): HTMLInputElement {
    const made = this.#inputs.get(field) ?? document.createElement('input')
    if (!this.#inputs.has(field)) {
      made.addEventListener('input', () => this.#parts.change())
      made.addEventListener('focus', () => this.#parts.focus(field))
      made.addEventListener('blur', () => this.#parts.blur(field))
      this.#inputs.set(field, made)
    }
    return made
  }

  #button(texts: WidgetSettings['texts']): HTMLButtonElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = texts?.submit_button ?? 'Submit'
    button.addEventListener('click', () => this.#parts.submit())
    return button
  }
}
