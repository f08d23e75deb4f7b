import { batch } from '@preact/signals'
import { forEachField } from '../../contract/page/fields/field-name.ts'
import type { Form } from '../form/form-view.ts'
import { composeText, editField } from './field-actions.ts'
import type { TextWithCaret } from './editing/text-edit.ts'

const NAMES = Object.values(forEachField((name) => name))

/**
 * Takes what stands in the inputs without the form knowing of it: a person or the browser's autofill can be faster than the script on
 * a slow network, and some password managers set a value and send no event. All inputs are read before anything is stored or shown.
 * `except`: an input whose own event says more.
 */
export function readInputs(form: Form, except: EventTarget | null = null): void {
  const unread = [...form.inputs()].flatMap((input) => {
    const field = NAMES.find((name) => name === input.id)
    if (field === undefined || input === except || input.value === form.texts[field].peek()) return []
    return [{ field, input, value: input.value, caret: caretOf(input) }]
  })
  if (unread.length === 0) return
  batch(() => {
    for (const { field, input, value, caret } of unread) {
      if (form.composing.has(field)) {
        composeText(form, field, value)
        continue
      }
      form.pendingEdits.delete(field)
      const shown = editField(form, field, { value, caret, inputType: 'insertFromPaste' })
      if (value !== shown.value) showText(input, shown)
    }
  })
}

/** Whose target is read by its own handler, which knows what kind of edit it was. */
const EDITS = ['input', 'compositionend']
/** What the form answers to at once. Anything else may wait for the end of a click, so that no button moves away under it. */
const PRESSES = ['keydown', 'beforeinput', 'compositionstart', 'click', 'submit', ...EDITS]
/** What comes from browsers and password managers, too, that have set a value. */
const VISITS = ['focus', 'blur', 'change', 'animationstart']
const PAUSE_MS = 1000

/**
 * Reads the inputs now, before anything in the document answers to an event, and each second, as there may be none. So whatever the form
 * decides and shows is about what stands in its inputs. Commands of the page are no such events: `readInputs` comes before each.
 */
export function keepInputsRead(form: Form, frameWindow: Window): void {
  readInputs(form)
  const readAfterClick = () => form.afterClick(() => readInputs(form))
  for (const name of PRESSES) {
    const read = ({ target }: Event) => readInputs(form, EDITS.includes(name) ? target : null)
    frameWindow.addEventListener(name, read, true)
  }
  for (const name of VISITS) frameWindow.addEventListener(name, readAfterClick, true)
  frameWindow.setInterval(readAfterClick, PAUSE_MS)
}

/** Shows a text. Sets the caret only in the focused input: in another one it would move the focus there during autofill. */
export function showText(input: HTMLInputElement, { value, caret }: TextWithCaret): void {
  input.value = value
  if (input.ownerDocument.activeElement === input) input.setSelectionRange(caret, caret)
}

/** The caret of an input. */
export function caretOf({ selectionStart, value }: HTMLInputElement): number {
  return selectionStart ?? value.length
}
