import type { FormField } from './card-fields.ts'

/** An input of the form, and its `id`. One expiry input stands for the month and the year. */
export type FieldName = 'expiry' | Exclude<FormField, 'expire_month' | 'expire_year'>

/** The input for a field of the contract. */
export function fieldNameOf(field: FormField): FieldName {
  return field === 'expire_month' || field === 'expire_year' ? 'expiry' : field
}

/** The contract's fields for some inputs. */
export function formFieldsOf(fields: readonly FieldName[]): FormField[] {
  return fields.flatMap((field): FormField[] =>
    field === 'expiry' ? ['expire_month', 'expire_year'] : [field],
  )
}

/** Calls `make` for each input that a form can have. */
export function forEachField<Value>(make: (field: FieldName) => Value): Readonly<Record<FieldName, Value>> {
  return {
    card_name: make('card_name'),
    card_number: make('card_number'),
    expiry: make('expiry'),
    card_ccv: make('card_ccv'),
    first_name: make('first_name'),
    last_name: make('last_name'),
    email: make('email'),
    phone: make('phone'),
    address_line1: make('address_line1'),
    address_line2: make('address_line2'),
    address_city: make('address_city'),
    address_state: make('address_state'),
    address_country: make('address_country'),
    address_postcode: make('address_postcode'),
    address_company: make('address_company'),
  }
}
