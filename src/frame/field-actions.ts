import { batch } from '@preact/signals'
import type { CardField } from './card-field.ts'
import { editCardNumber, editCode } from './digit-editing.ts'
import { editExpiry } from './expiry-editing.ts'
import { tidyExpiry } from './expiry-text.ts'
import { revealFaults } from './form-faults.ts'
import { cardSchemeOf } from './form-state.ts'
import type { FormState } from './form-state.ts'
import type { TextEdit, TextWithCaret } from './text-edit.ts'

const LONGEST_CODE = 4

/** Takes what the browser made of a field, keeps it, and returns what the field shall show. */
export function editField(form: FormState, field: CardField, edit: TextEdit): TextWithCaret {
  const shown = shownAfter(form, field, edit)
  batch(() => {
    form.typed[field].value = shown.value
    form.refusals.value = { ...form.refusals.value, [field]: undefined }
    form.alert.value = ''
    reopen(form)
    revealFaults(form, [])
  })
  return shown
}

/** A person turned to a field: after a finished submit the form is an ordinary one again. */
export function reopen({ phase }: FormState): void {
  if (phase.value === 'finished') phase.value = 'ready'
}

/** A person left a field: the date is tidied and the faults of all fields left so far may be shown. */
export function leaveField(form: FormState, field: CardField): void {
  batch(() => {
    if (field === 'expiry') form.typed.expiry.value = tidyExpiry(form.typed.expiry.value)
    if (form.typed[field].value !== '') form.left.value = new Set([...form.left.value, field])
    revealFaults(form, [...form.left.value])
  })
}

function shownAfter(form: FormState, field: CardField, edit: TextEdit): TextWithCaret {
  const before = form.typed[field].value
  switch (field) {
    case 'card_name':
      return edit
    case 'card_number':
      return editCardNumber(before, edit)
    case 'expiry':
      return editExpiry(before, edit)
    case 'card_ccv':
      return editCode(before, edit, cardSchemeOf(form)?.codeLength ?? LONGEST_CODE)
  }
}
