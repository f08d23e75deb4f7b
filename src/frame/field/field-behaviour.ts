import type { TargetedEvent } from 'preact'
import { editField, leaveField, reopen, stepThrough } from './field-actions.ts'
import type { FieldName } from './field-name.ts'
import { formFieldsOf } from './field-name.ts'
import type { Form } from '../form/form-view.ts'
import type { Emit } from '../page-channel.ts'
import type { TextWithCaret } from './editing/text-edit.ts'

type Input = HTMLInputElement

/** What an input does when it is typed into, entered and left. */
export function fieldBehaviour(form: Form, field: FieldName, emit: Emit) {
  const wireName = formFieldsOf([field])[0] ?? 'card_name'
  const takeStep = (event: TargetedEvent<Input>) => {
    const way = undoDirectionOf(event)
    if (way === null) return
    event.preventDefault()
    if (form.phase.value === 'processing') return
    const shown = stepThrough(form, field, way, caretOf(event.currentTarget))
    if (shown !== null) show(event.currentTarget, shown)
  }
  return {
    onKeyDown: takeStep,
    onBeforeInput: takeStep,
    onInput: (event: TargetedEvent<Input, InputEvent>) => {
      if (!event.isComposing) takeEdit(form, field, event.currentTarget, event.inputType)
    },
    onCompositionEnd: (event: TargetedEvent<Input, CompositionEvent>) =>
      takeEdit(form, field, event.currentTarget, 'insertCompositionText'),
    onClick: () => reopen(form),
    onFocus: () => {
      reopen(form)
      emit({ event: 'focus', field: wireName })
    },
    onBlur: () => {
      form.afterClick(() => leaveField(form, field))
      emit({ event: 'blur', field: wireName })
    },
  }
}

function takeEdit(form: Form, field: FieldName, input: Input, inputType = ''): void {
  const { value } = input
  const shown = editField(form, field, { value, caret: caretOf(input), inputType })
  if (value !== shown.value) show(input, shown)
}

/** The caret is set only where it is: in another field, autofill would otherwise pull the focus there. */
function show(input: Input, { value, caret }: TextWithCaret): void {
  input.value = value
  if (input.ownerDocument.activeElement === input && input.type !== 'email') {
    input.setSelectionRange(caret, caret)
  }
}

/** An input for e-mail doesn't say where its caret is. */
function caretOf({ selectionStart, value }: Input): number {
  return selectionStart ?? value.length
}

/**
 * Whether a key or a menu asks to undo or redo; null if neither. The browser's own undo knows nothing of gaps that were
 * set between digits, so none of them may reach it.
 */
export function undoDirectionOf(event: Event): 'undo' | 'redo' | null {
  if (event instanceof InputEvent) {
    if (event.inputType === 'historyUndo') return 'undo'
    return event.inputType === 'historyRedo' ? 'redo' : null
  }
  if (!(event instanceof KeyboardEvent) || event.ctrlKey === event.metaKey || event.altKey) return null
  const letter = letterOf(event)
  if (letter === 'z') return event.shiftKey ? 'redo' : 'undo'
  return letter === 'y' ? 'redo' : null
}

/** The letter by what is written on the key or, on a keyboard of another script, by where it is. */
function letterOf({ key, code }: KeyboardEvent): string {
  return (/^[a-z]$/i.test(key) ? key : code.slice(-1)).toLowerCase()
}
