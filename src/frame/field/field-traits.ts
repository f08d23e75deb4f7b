import type { FieldName } from './field-name.ts'

/** What an input is to browsers, keyboards and password managers, and how wide it stands. */
export interface FieldTraits {
  /** Token of HTML's autofill. */
  autocomplete: string
  /** Keyboard of a phone; the text of such fields reads from the left in every script. */
  mode?: 'numeric' | 'email' | 'tel'
  /** Two of these share a line where there is room. */
  half?: boolean
  /** Names and places begin with capitals. */
  words?: boolean
  /** Characters that the service takes. */
  longest?: number
}

export const FIELD_TRAITS: Readonly<Record<FieldName, FieldTraits>> = {
  card_name: { autocomplete: 'cc-name', words: true, longest: 100 },
  card_number: { autocomplete: 'cc-number', mode: 'numeric' },
  expiry: { autocomplete: 'cc-exp', mode: 'numeric', half: true },
  card_ccv: { autocomplete: 'cc-csc', mode: 'numeric', half: true },
  first_name: { autocomplete: 'given-name', half: true, words: true, longest: 100 },
  last_name: { autocomplete: 'family-name', half: true, words: true, longest: 100 },
  email: { autocomplete: 'email', mode: 'email', longest: 254 },
  phone: { autocomplete: 'tel', mode: 'tel', longest: 40 },
  address_line1: { autocomplete: 'address-line1', words: true, longest: 200 },
  address_line2: { autocomplete: 'address-line2', words: true, longest: 200 },
  address_city: { autocomplete: 'address-level2', half: true, words: true, longest: 100 },
  address_state: { autocomplete: 'address-level1', half: true, words: true, longest: 100 },
  address_country: { autocomplete: 'country', half: true, words: true, longest: 100 },
  address_postcode: { autocomplete: 'postal-code', half: true, longest: 20 },
  address_company: { autocomplete: 'organization', words: true, longest: 200 },
}
