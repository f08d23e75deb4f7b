import { batch } from '@preact/signals'
import type { FieldName } from '../../contract/page/fields/field-name.ts'
import { announce } from './announce.ts'
import type { Form } from './form-view.ts'

/** Messages for the faults of some fields. */
export function faultWordsOf({ view }: Form, fields: readonly FieldName[]): string[] {
  return fields.map((field) => view.faults[field].value?.words ?? '')
}

/**
 * Shows the faults of some fields from now on, and announces the new ones to screen readers. A field that has become valid
 * is no longer revealed, so a new fault is not shown while the person still types; what was announced no longer holds.
 */
export function revealFaults(form: Form, fields: readonly FieldName[]): void {
  const before = form.revealed.value
  if (fields.length === 0 && before.size === 0) return
  batch(() => {
    const faulty = form.view.faulty.value.filter((field) => before.has(field) || fields.includes(field))
    form.revealed.value = new Set(faulty)
    const fresh = faulty.filter((field) => !before.has(field))
    if (fresh.length > 0) announce(form, faultWordsOf(form, fresh).join(' '))
    else if (faulty.length < before.size) announce(form, '')
  })
}
