import { batch } from '@preact/signals'
import { faultOf } from './field-fault.ts'
import type { FieldName } from './field-name.ts'
import { shownFieldsOf } from './form-fields.ts'
import type { FormState } from './form-state.ts'

/** The words under a field: its fault, once it may be shown; '' if there is nothing to say. */
export function shownWordsOf(form: FormState, field: FieldName): string {
  return form.revealed.value.has(field) ? (faultOf(form, field)?.words ?? '') : ''
}

/** The fields that are not right, in the order of the page. What a person can't see, they can't mend. */
export function faultyFieldsOf(form: FormState): FieldName[] {
  return shownFieldsOf(form.settings.value).filter((field) => faultOf(form, field) !== null)
}

/**
 * Shows the faults of some fields from now on, tells a screen reader those that are new, and forgets the fields that are
 * right: what becomes wrong again is silent while it is typed.
 */
export function revealFaults(form: FormState, fields: readonly FieldName[]): void {
  batch(() => {
    const before = form.revealed.value
    const faulty = faultyFieldsOf(form).filter((field) => before.has(field) || fields.includes(field))
    form.revealed.value = new Set(faulty)
    const fresh = faulty.filter((field) => !before.has(field))
    if (fresh.length > 0)
      form.announcement.value = fresh.map((field) => faultOf(form, field)?.words).join(' ')
  })
}
