/** Fields of the card itself. Expiry month and year share one input. */
export const CARD_FIELDS = ['card_name', 'card_number', 'expire_month', 'expire_year', 'card_ccv'] as const

/** Fields about the person who pays. */
export const HOLDER_FIELDS = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'address_line1',
  'address_line2',
  'address_city',
  'address_state',
  'address_country',
  'address_postcode',
  'address_company',
] as const

/** Names of the form fields that a widget can show. */
export const FORM_FIELDS = [...CARD_FIELDS, ...HOLDER_FIELDS] as const

/** Names of what a widget can hide. */
export const HIDEABLE = ['submit_button', ...FORM_FIELDS] as const

export type FormField = (typeof FORM_FIELDS)[number]

export type HolderField = (typeof HOLDER_FIELDS)[number]
