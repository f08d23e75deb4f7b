import { editField } from './field-actions.ts'
import { forEachField } from './field-name.ts'
import type { Form } from '../form/form-view.ts'

const NAMES = Object.values(forEachField((name) => name))

/**
 * Takes what stands in the prerendered inputs before the form comes to life: on a slow line a person, or the browser's
 * autofill, is faster than the script.
 */
export function takeEarlyTyping(form: Form, content: HTMLElement): void {
  for (const input of content.querySelectorAll('input')) {
    const field = NAMES.find((name) => name === input.id)
    if (field === undefined || input.value === '') continue
    const { value } = input
    input.value = editField(form, field, { value, caret: value.length, inputType: 'insertFromPaste' }).value
  }
}
