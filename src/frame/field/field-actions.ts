import { batch } from '@preact/signals'
import { editCardNumber, editCode } from './editing/digit-editing.ts'
import { createHistory, recordEdit, undoOrRedo } from './editing/edit-history.ts'
import type { EditHistory } from './editing/edit-history.ts'
import { editExpiry } from './editing/expiry-editing.ts'
import { tidyExpiry } from './editing/expiry-text.ts'
import type { FieldName } from './field-name.ts'
import { revealFaults } from '../form/form-faults.ts'
import { setText, textOf } from '../form/form-state.ts'
import type { Form } from '../form/form-view.ts'
import type { TextEdit, TextWithCaret } from './editing/text-edit.ts'

const MAX_CODE_LENGTH = 4

/** Formats and stores an edit that the browser made in a field. Returns the text and caret to show. */
export function editField(form: Form, field: FieldName, edit: TextEdit): TextWithCaret {
  const before = textOf(form, field)
  const shown = EDITORS[field]?.(before, edit, form) ?? edit
  recordEdit(historyOf(form, field), before, edit, shown)
  storeText(form, field, shown.value)
  return shown
}

/** Undoes or redoes the last edit of a field. Returns the text and caret to show, or null without such an edit. */
export function undoOrRedoEdit(
  form: Form,
  field: FieldName,
  direction: 'undo' | 'redo',
  caret: number,
): TextWithCaret | null {
  const shown = undoOrRedo(historyOf(form, field), direction, { value: textOf(form, field), caret })
  if (shown !== null) storeText(form, field, shown.value)
  return shown
}

/** Makes a finished form usable again when a person returns to it. */
export function reopen({ phase }: Form): void {
  if (phase.value === 'finished') phase.value = 'ready'
}

/** Formats the expiry date of a field that was left, and shows the faults of all fields left so far. */
export function leaveField(form: Form, field: FieldName): void {
  batch(() => {
    if (field === 'expiry') setText(form, field, tidyExpiry(textOf(form, field)))
    if (textOf(form, field) !== '') form.visited.value = new Set([...form.visited.value, field])
    revealFaults(form, [...form.visited.value])
  })
}

/** Empties every field and removes all messages. */
export function clearForm(form: Form): void {
  batch(() => {
    for (const text of Object.values(form.texts)) text.value = ''
    form.histories.clear()
    form.visited.value = form.revealed.value = form.refused.value = new Set()
    form.alert.value = null
    form.announcement.value = ''
    reopen(form)
  })
}

function storeText(form: Form, field: FieldName, text: string): void {
  batch(() => {
    setText(form, field, text)
    form.refused.value = new Set([...form.refused.value].filter((refused) => refused !== field))
    form.alert.value = null
    reopen(form)
    revealFaults(form, [])
  })
}

function historyOf({ histories }: Form, field: FieldName): EditHistory {
  const known = histories.get(field) ?? createHistory()
  histories.set(field, known)
  return known
}

type Editor = (before: string, edit: TextEdit, form: Form) => TextWithCaret

/** Fields whose text is formatted while it is typed. */
const EDITORS: Partial<Record<FieldName, Editor>> = {
  card_number: editCardNumber,
  expiry: editExpiry,
  card_ccv: (before, edit, form) =>
    editCode(before, edit, form.view.scheme.value?.codeLength ?? MAX_CODE_LENGTH),
}
