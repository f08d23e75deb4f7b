import type { FormField } from '../contract/card-fields.ts'

/** An input of the form, and its `id`; the one expiry input stands for a month and a year. */
export type FieldName = 'expiry' | Exclude<FormField, 'expire_month' | 'expire_year'>

/** The input that a field of the contract is typed into. */
export function fieldNameOf(field: FormField): FieldName {
  return field === 'expire_month' || field === 'expire_year' ? 'expiry' : field
}

/** The names on the wire of some inputs. */
export function formFieldsOf(fields: readonly FieldName[]): FormField[] {
  return fields.flatMap((field): FormField[] =>
    field === 'expiry' ? ['expire_month', 'expire_year'] : [field],
  )
}
