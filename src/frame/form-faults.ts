import { batch } from '@preact/signals'
import { CARD_FIELDS } from './card-field.ts'
import type { CardField } from './card-field.ts'
import { faultOf } from './field-fault.ts'
import type { FormState } from './form-state.ts'

/** The words under a field: its fault, once it may be shown; '' if there is nothing to say. */
export function shownWordsOf(form: FormState, field: CardField): string {
  return form.revealed.value.has(field) ? (faultOf(form, field)?.words ?? '') : ''
}

/** The fields that are not right, in the order of the page. */
export function faultyFieldsOf(form: FormState): CardField[] {
  return CARD_FIELDS.filter((field) => faultOf(form, field) !== null)
}

/**
 * Shows the faults of some fields from now on, tells a screen reader those that are new, and forgets the fields that are
 * right: what becomes wrong again is silent while it is typed.
 */
export function revealFaults(form: FormState, fields: readonly CardField[]): void {
  batch(() => {
    const before = form.revealed.value
    const faulty = faultyFieldsOf(form).filter((field) => before.has(field) || fields.includes(field))
    form.revealed.value = new Set(faulty)
    const fresh = faulty.filter((field) => !before.has(field))
    if (fresh.length > 0)
      form.announcement.value = fresh.map((field) => faultOf(form, field)?.words).join(' ')
  })
}
