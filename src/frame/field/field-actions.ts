import { batch } from '@preact/signals'
import { editCardNumber, editCode } from './editing/digit-editing.ts'
import { createHistory, keepStep, step } from './editing/edit-history.ts'
import type { EditHistory } from './editing/edit-history.ts'
import { editExpiry } from './editing/expiry-editing.ts'
import { tidyExpiry } from './editing/expiry-text.ts'
import type { FieldName } from './field-name.ts'
import { revealFaults } from '../form/form-faults.ts'
import { putInto, textIn } from '../form/form-state.ts'
import type { Form } from '../form/form-view.ts'
import type { TextEdit, TextWithCaret } from './editing/text-edit.ts'

const LONGEST_CODE = 4

/** Takes what the browser made of a field, keeps it, and returns what the field shall show. */
export function editField(form: Form, field: FieldName, edit: TextEdit): TextWithCaret {
  const before = textIn(form, field)
  const shown = EDITORS[field]?.(before, edit, form) ?? edit
  keepStep(historyOf(form, field), before, edit, shown)
  take(form, field, shown.value)
  return shown
}

/** Takes the last edit of a field back, or does it again; returns what the field shall show, or null if there is none. */
export function stepThrough(
  form: Form,
  field: FieldName,
  way: 'undo' | 'redo',
  caret: number,
): TextWithCaret | null {
  const shown = step(historyOf(form, field), way, { value: textIn(form, field), caret })
  if (shown !== null) take(form, field, shown.value)
  return shown
}

/** A person turned to a field: after a finished submit the form is an ordinary one again. */
export function reopen({ phase }: Form): void {
  if (phase.value === 'finished') phase.value = 'ready'
}

/** A person left a field: the date is tidied and the faults of all fields left so far may be shown. */
export function leaveField(form: Form, field: FieldName): void {
  batch(() => {
    if (field === 'expiry') putInto(form, field, tidyExpiry(textIn(form, field)))
    if (textIn(form, field) !== '') form.left.value = new Set([...form.left.value, field])
    revealFaults(form, [...form.left.value])
  })
}

/** Empties every field and takes back what is said about them. */
export function clearForm(form: Form): void {
  batch(() => {
    for (const text of Object.values(form.texts)) text.value = ''
    form.histories.clear()
    form.left.value = form.revealed.value = form.refused.value = new Set()
    form.alert.value = null
    form.announcement.value = ''
    reopen(form)
  })
}

function take(form: Form, field: FieldName, text: string): void {
  batch(() => {
    putInto(form, field, text)
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

/** Fields that format what is typed. */
const EDITORS: Partial<Record<FieldName, Editor>> = {
  card_number: editCardNumber,
  expiry: editExpiry,
  card_ccv: (before, edit, form) =>
    editCode(before, edit, form.view.scheme.value?.codeLength ?? LONGEST_CODE),
}
