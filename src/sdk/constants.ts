import { FORM_FIELDS } from '../contract/page/fields/card-fields.ts'
import { CARD_ICONS, ELEMENTS, STYLE_KEYS, TEXT_KEYS } from '../contract/page/widget-appearance.ts'
import { EVENT_NAMES } from '../contract/page/widget-event.ts'

/** Release of this SDK. The frame is of the same release. */
export const VERSION: string = __SVC_VERSION__

/** Names for `on` and `off`. */
export const EVENT = namesOf(EVENT_NAMES)

/** Names for `trigger`. */
export const TRIGGER = { SUBMIT_FORM: 'submit_form' } as const

/** Keys for `setText` and `setTexts`. */
export const TEXT = namesOf(TEXT_KEYS)

/** Keys for `setStyle` and `setStyles`. */
export const STYLE = namesOf(STYLE_KEYS)

/** Elements for `setElementStyle`; the button for `hideElements` too. */
export const ELEMENT = namesOf(ELEMENTS)

/** Card schemes for `setSupportedCardIcons`. */
export const SUPPORTED_CARD_TYPES = namesOf(CARD_ICONS)

/** Fields of the form, as `invalid_fields`, `focus` and `blur` name them. */
export const FORM_FIELD = namesOf(FORM_FIELDS)

/** Purposes of a widget. */
export const PURPOSE = { PAYMENT_SOURCE: 'payment_source' } as const

/** Payment types that a widget can collect. */
export const PAYMENT_TYPE = { CARD: 'card' } as const

/** `afterLoad` and `after_load` are both `AFTER_LOAD`. */
type ConstantOf<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? '' : '_'}${Uppercase<First>}${ConstantOf<Rest>}`
  : ''

/** `['card_name']` → `{ CARD_NAME: 'card_name' }`, with literal types. */
function namesOf<Key extends string>(
  keys: readonly Key[],
): { readonly [Name in Key as ConstantOf<Name>]: Name }
function namesOf(keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key.replace(/[A-Z]/g, '_$&').toUpperCase(), key]))
}
