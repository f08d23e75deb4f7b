import type { FieldName } from '../../contract/page/fields/field-name.ts'

/** Attributes of an input for browsers, keyboards and password managers. */
export interface FieldTraits {
  /** HTML autofill token. */
  autocomplete: string
  /** Keyboard of a phone. Text of such fields runs from left to right in every script. */
  mode?: 'numeric' | 'email' | 'tel'
  /** What a phone's keyboard writes in capitals; nothing if absent. */
  capitals?: 'words' | 'characters'
  /** Maximum characters that the service accepts; a longer text is not cut but said to be too long. */
  longest?: number
}

/** What an input takes at most: longer than anything that is meant for a field, so that nothing useful is cut. */
export const LONGEST_TEXT = 2000

export const FIELD_TRAITS: Readonly<Record<FieldName, FieldTraits>> = {
  card_name: { autocomplete: 'cc-name', capitals: 'words', longest: 100 },
  card_number: { autocomplete: 'cc-number', mode: 'numeric' },
  expiry: { autocomplete: 'cc-exp', mode: 'numeric' },
  card_ccv: { autocomplete: 'cc-csc', mode: 'numeric' },
  first_name: { autocomplete: 'given-name', capitals: 'words', longest: 100 },
  last_name: { autocomplete: 'family-name', capitals: 'words', longest: 100 },
  email: { autocomplete: 'email', mode: 'email', longest: 254 },
  phone: { autocomplete: 'tel', mode: 'tel', longest: 40 },
  address_line1: { autocomplete: 'address-line1', capitals: 'words', longest: 200 },
  address_line2: { autocomplete: 'address-line2', capitals: 'words', longest: 200 },
  address_city: { autocomplete: 'address-level2', capitals: 'words', longest: 100 },
  address_state: { autocomplete: 'address-level1', capitals: 'words', longest: 100 },
  address_country: { autocomplete: 'country-name', capitals: 'words', longest: 100 },
  address_postcode: { autocomplete: 'postal-code', capitals: 'characters', longest: 20 },
  address_company: { autocomplete: 'organization', capitals: 'words', longest: 200 },
}
