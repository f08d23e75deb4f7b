import { editField } from './field-actions.ts'
import { forEachField } from './field-name.ts'
import type { Form } from '../form/form-view.ts'

const NAMES = Object.values(forEachField((name) => name))

/**
 * Applies what was typed into the prerendered inputs before the script ran: on a slow network a person or the browser's
 * autofill can be faster.
 */
export function applyEarlyTyping(form: Form, content: HTMLElement): void {
  for (const input of content.querySelectorAll('input')) {
    const field = NAMES.find((name) => name === input.id)
    if (field === undefined || input.value === '') continue
    const { value } = input
    input.value = editField(form, field, { value, caret: value.length, inputType: 'insertFromPaste' }).value
  }
}
