import type { FormField } from '../contract/card-fields.ts'
import type { StyleKey, TextKey } from '../contract/widget-appearance.ts'
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

/** Keys for `setText` and `setTexts`. */
export const TEXT = {
  TITLE: 'title',
  TITLE_H1: 'title_h1',
  TITLE_H2: 'title_h2',
  TITLE_H3: 'title_h3',
  TITLE_H4: 'title_h4',
  TITLE_H5: 'title_h5',
  TITLE_H6: 'title_h6',
  TITLE_DESCRIPTION: 'title_description',
  SUBMIT_BUTTON: 'submit_button',
  SUBMIT_BUTTON_PROCESSING: 'submit_button_processing',
  FINISH_TEXT: 'finish_text',
} as const satisfies Record<Uppercase<TextKey>, TextKey>

/** Keys for `setStyle` and `setStyles`. */
export const STYLE = {
  BACKGROUND_COLOR: 'background_color',
  BACKGROUND_ACTIVE_COLOR: 'background_active_color',
  TEXT_COLOR: 'text_color',
  BORDER_COLOR: 'border_color',
  BUTTON_COLOR: 'button_color',
  ERROR_COLOR: 'error_color',
  SUCCESS_COLOR: 'success_color',
  ICON_SIZE: 'icon_size',
  FONT_SIZE: 'font_size',
  FONT_FAMILY: 'font_family',
} as const satisfies Record<Uppercase<StyleKey>, StyleKey>

/** Fields of the form, as `invalid_fields`, `focus` and `blur` name them. */
export const FORM_FIELD = {
  CARD_NAME: 'card_name',
  CARD_NUMBER: 'card_number',
  EXPIRE_MONTH: 'expire_month',
  EXPIRE_YEAR: 'expire_year',
  CARD_CCV: 'card_ccv',
  FIRST_NAME: 'first_name',
  LAST_NAME: 'last_name',
  EMAIL: 'email',
  PHONE: 'phone',
  ADDRESS_LINE1: 'address_line1',
  ADDRESS_LINE2: 'address_line2',
  ADDRESS_CITY: 'address_city',
  ADDRESS_STATE: 'address_state',
  ADDRESS_COUNTRY: 'address_country',
  ADDRESS_POSTCODE: 'address_postcode',
  ADDRESS_COMPANY: 'address_company',
} as const satisfies Record<Uppercase<FormField>, FormField>

/** What a widget can be for. */
export const PURPOSE = { PAYMENT_SOURCE: 'payment_source' } as const

/** What a widget can ask the shopper for. */
export const PAYMENT_TYPE = { CARD: 'card' } as const
