/** Names of the form fields that a widget can show. */
export const FORM_FIELDS = [
  'card_name',
  'card_number',
  'expire_month',
  'expire_year',
  'card_ccv',
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

/** Names of what a widget can hide. */
export const HIDEABLE = ['submit_button', ...FORM_FIELDS] as const

/** Fields of the card itself. Expiry month and year share one input. */
export const CARD_FIELDS = FORM_FIELDS.slice(0, 5)

export type FormField = (typeof FORM_FIELDS)[number]

/** Fields about the person who pays. */
export type HolderField = Exclude<
  FormField,
  'card_name' | 'card_number' | 'expire_month' | 'expire_year' | 'card_ccv'
>
