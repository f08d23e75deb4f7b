import { textOf } from '../form/form-state.ts'
import type { Form } from '../form/form-view.ts'
import { editField } from './field-actions.ts'
import { forEachField } from '../../contract/page/fields/field-name.ts'

const NAMES = Object.values(forEachField((name) => name))

/**
 * Takes what stands in the inputs without the form knowing of it: a person or the browser's autofill can be faster than the
 * script on a slow network, and some password managers set a value and send no event.
 */
export function readInputs(form: Form, content: ParentNode): void {
  for (const input of content.querySelectorAll('input')) {
    const field = NAMES.find((name) => name === input.id)
    const { value } = input
    if (field === undefined || value === textOf(form, field)) continue
    input.value = editField(form, field, { value, caret: value.length, inputType: 'insertFromPaste' }).value
  }
}
