import type { FieldName } from './field-name.ts'

/** Inputs for a few digits; two of them share a line unless it is very short. */
export const SHORT_FIELDS: readonly FieldName[] = ['expiry', 'card_ccv']

/** Inputs two of which share a line where there is space. */
export const HALF_FIELDS: readonly FieldName[] = [
  'first_name',
  'last_name',
  'address_city',
  'address_state',
  'address_country',
  'address_postcode',
]
