import type { FormField } from '../contract/card-fields.ts'

/** The inputs of the form, in the order of the page; each is the `id` of its input. */
export const CARD_FIELDS = ['card_name', 'card_number', 'expiry', 'card_ccv'] as const
export type CardField = (typeof CARD_FIELDS)[number]

/** A value for every input, made by asking for one after the other. */
export function eachField<Value>(make: (field: CardField) => Value): Record<CardField, Value> {
  return {
    card_name: make('card_name'),
    card_number: make('card_number'),
    expiry: make('expiry'),
    card_ccv: make('card_ccv'),
  }
}

/** The names on the wire of some inputs; the one expiry input stands for a month and a year. */
export function formFieldsOf(fields: readonly CardField[]): FormField[] {
  return fields.flatMap((field): FormField[] =>
    field === 'expiry' ? ['expire_month', 'expire_year'] : [field],
  )
}

/** The input that a name on the wire belongs to, or null if the form has none for it. */
export function cardFieldOf(name: string): CardField | null {
  return CARD_FIELDS.find((field) => formFieldsOf([field]).some((known) => known === name)) ?? null
}
