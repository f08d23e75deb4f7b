import { batch } from '@preact/signals'
import type { FieldName } from '../field/field-name.ts'
import type { Form } from './form-view.ts'

/** What is wrong with some fields, in words. */
export function faultWordsOf({ view }: Form, fields: readonly FieldName[]): string[] {
  return fields.map((field) => view.fields[field].value.fault?.words ?? '')
}

/**
 * Shows the faults of some fields from now on, tells a screen reader those that are new, and forgets the fields that are
 * right: what becomes wrong again is silent while it is typed.
 */
export function revealFaults(form: Form, fields: readonly FieldName[]): void {
  batch(() => {
    const before = form.revealed.value
    const faulty = form.view.faulty.value.filter((field) => before.has(field) || fields.includes(field))
    form.revealed.value = new Set(faulty)
    const fresh = faulty.filter((field) => !before.has(field))
    if (fresh.length > 0) form.announcement.value = faultWordsOf(form, fresh).join(' ')
  })
}
