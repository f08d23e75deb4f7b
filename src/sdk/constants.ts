import { FORM_FIELDS } from '../contract/card-fields.ts'
import { CARD_ICONS, ELEMENTS, STYLE_KEYS, TEXT_KEYS } from '../contract/widget-appearance.ts'
import type { EventName } from '../contract/widget-event.ts'

/** Release of this SDK; the frame comes from the same one. */
export const VERSION: string = __SVC_VERSION__

/** Names for `on` and `off`. */
export const EVENT = {
  AFTER_LOAD: 'afterLoad',
  SUBMIT: 'submit',
  FINISH: 'finish',
  VALIDATION_ERROR: 'validationError',
  SYSTEM_ERROR: 'systemError',
  META_CHANGE: 'metaChange',
  RESIZE: 'resize',
  VALIDATION: 'validation',
  FOCUS: 'focus',
  BLUR: 'blur',
} as const satisfies Record<string, EventName>

/** Names for `trigger`. */
export const TRIGGER = { SUBMIT_FORM: 'submit_form' } as const

/** Keys for `setText` and `setTexts`. */
export const TEXT = namesOf(TEXT_KEYS)

/** Keys for `setStyle` and `setStyles`. */
export const STYLE = namesOf(STYLE_KEYS)

/** Parts of the form for `setElementStyle`; the button for `hideElements` too. */
export const ELEMENT = namesOf(ELEMENTS)

/** Schemes for `setSupportedCardIcons`. */
export const SUPPORTED_CARD_TYPES = namesOf(CARD_ICONS)

/** Fields of the form, as `invalid_fields`, `focus` and `blur` name them. */
export const FORM_FIELD = namesOf(FORM_FIELDS)

/** What a widget can be for. */
export const PURPOSE = { PAYMENT_SOURCE: 'payment_source' } as const

/** What a widget can ask the shopper for. */
export const PAYMENT_TYPE = { CARD: 'card' } as const

/** `['card_name']` → `{ CARD_NAME: 'card_name' }`: written once in the contract, typed in full here. */
function namesOf<Key extends string>(
  keys: readonly Key[],
): { readonly [Name in Key as Uppercase<Name>]: Name }
function namesOf(keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key.toUpperCase(), key]))
}
