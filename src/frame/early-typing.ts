import { FORM_FIELDS } from '../contract/card-fields.ts'
import { editField } from './field-actions.ts'
import { fieldNameOf } from './field-name.ts'
import type { FieldName } from './field-name.ts'
import type { FormState } from './form-state.ts'

const NAMES = new Set<FieldName>(FORM_FIELDS.map(fieldNameOf))

/**
 * Takes what stands in the prerendered inputs before the form comes to life: on a slow line a person, or the browser's
 * autofill, is faster than the script.
 */
export function takeEarlyTyping(form: FormState, content: HTMLElement): void {
  for (const input of content.querySelectorAll('input')) {
    const field = [...NAMES].find((name) => name === input.id)
    if (field === undefined || input.value === '') continue
    const { value } = input
    input.value = editField(form, field, { value, caret: value.length, inputType: 'insertFromPaste' }).value
  }
}
