import type { TargetedEvent } from 'preact'
import { beginEdit, composeText, editField, leaveField, undoOrRedoEdit } from './field-actions.ts'
import type { FieldName } from '../../contract/page/fields/field-name.ts'
import { formFieldsOf } from '../../contract/page/fields/field-name.ts'
import type { Form } from '../form/form-view.ts'
import type { Emit } from '../page-channel.ts'
import { renderAfterPaint } from '../render.ts'
import { caretOf, showText } from './read-inputs.ts'

type Input = HTMLInputElement

/** The event handlers of an input. */
export function fieldBehaviour(form: Form, field: FieldName, emit: Emit) {
  const wireName = formFieldsOf([field])[0] ?? 'card_name'
  const handleUndo = (event: TargetedEvent<Input>) => {
    const direction = undoDirectionOf(event)
    if (direction === null) return
    event.preventDefault()
    if (form.phase.value === 'processing') return
    const shown = undoOrRedoEdit(form, field, direction, caretOf(event.currentTarget))
    if (shown !== null) showText(event.currentTarget, shown)
  }
  return {
    onKeyDown: handleUndo,
    onBeforeInput: (event: TargetedEvent<Input, InputEvent>) => {
      // Now and not after the browser's edit, which a rendering of the text before it would undo.
      form.afterPaint.flush()
      handleUndo(event)
      if (!event.isComposing) beginEdit(form, field, editOf(event))
    },
    onCompositionStart: () => {
      form.composing.add(field)
      beginEdit(form, field)
    },
    onInput: (event: TargetedEvent<Input, InputEvent>) => {
      const { currentTarget: input, inputType, isComposing } = event
      renderAfterPaint(form.afterPaint, () => {
        if (isComposing) composeText(form, field, input.value)
        else formatInput(form, field, input, inputType)
      })
    },
    onCompositionEnd: (event: TargetedEvent<Input, CompositionEvent>) => {
      form.composing.delete(field)
      formatInput(form, field, event.currentTarget, 'insertCompositionText')
    },
    onFocus: () => emit({ event: 'focus', field: wireName }),
    onBlur: ({ currentTarget: input }: TargetedEvent<Input>) => {
      // Who is in another tab, perhaps to look up the rest, has not left the field.
      if (input.ownerDocument.activeElement !== input) form.afterClick(() => leaveField(form, field))
      emit({ event: 'blur', field: wireName })
    },
  }
}

function editOf({ currentTarget: { selectionStart, selectionEnd }, data }: TargetedEvent<Input, InputEvent>) {
  return { replacedSelection: selectionStart !== selectionEnd, inserted: data }
}

/** Formats and stores what the browser has put into an input, and shows it. */
function formatInput(form: Form, field: FieldName, input: Input, inputType: string): void {
  const { value } = input
  const shown = editField(form, field, { value, caret: caretOf(input), inputType })
  if (value !== shown.value) showText(input, shown)
}

/**
 * Whether a key or a menu asks for undo or redo; null if neither. The browser's own undo must not run, as it does not know
 * the gaps that were inserted between digits.
 */
function undoDirectionOf(event: Event): 'undo' | 'redo' | null {
  if (event instanceof InputEvent) {
    if (event.inputType === 'historyUndo') return 'undo'
    return event.inputType === 'historyRedo' ? 'redo' : null
  }
  if (!(event instanceof KeyboardEvent) || event.ctrlKey === event.metaKey || event.altKey) return null
  const letter = letterOf(event)
  if (letter === 'z') return event.shiftKey ? 'redo' : 'undo'
  return letter === 'y' ? 'redo' : null
}

/** The letter of a key or, on a keyboard of another script, of its position. */
function letterOf({ key, code }: KeyboardEvent): string {
  return (/^[a-z]$/i.test(key) ? key : code.slice(-1)).toLowerCase()
}
