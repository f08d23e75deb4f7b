/** Keys of `setTexts`. Other keys are ignored with a warning. */
export const TEXT_KEYS = [
  'title',
  'title_h1',
  'title_h2',
  'title_h3',
  'title_h4',
  'title_h5',
  'title_h6',
  'title_description',
  'submit_button',
  'submit_button_processing',
  'finish_text',
] as const

/** Maximum characters of one text or style. */
export const MAX_VALUE_LENGTH = 2000

/** Keys of `setStyles` that came with 1.3.0. */
export const LATER_STYLE_KEYS = [
  'border_radius',
  'border_width',
  'button_radius',
  'button_text_color',
  'field_height',
  'field_padding',
  'focus_width',
  'label_color',
  'label_size',
  'label_weight',
  'note_color',
  'note_size',
  'placeholder_color',
  'spacing',
] as const
/** Keys of `setStyles`. Other keys are ignored with a warning. */
export const STYLE_KEYS = [
  'background_color',
  'background_active_color',
  'field_color',
  'text_color',
  'border_color',
  'focus_color',
  'button_color',
  'error_color',
  'success_color',
  'icon_size',
  'font_size',
  'font_family',
  ...LATER_STYLE_KEYS,
] as const

/** Elements of the form for `setElementStyle`. */
export const ELEMENTS = ['input', 'submit_button', 'label', 'title', 'title_description'] as const

/** States that can be styled separately: an input's focus and error, the button's hover. */
export const ELEMENT_STATES = ['focus', 'error', 'hover'] as const

/** Properties of `setElementStyle`. */
export const ELEMENT_PROPERTIES = [
  'color',
  'border',
  'border_radius',
  'background_color',
  'height',
  'text_decoration',
  'font_size',
  'font_family',
  'line_height',
  'font_weight',
  'padding',
  'margin',
  'transition',
  'opacity',
  'text_align',
] as const

/** Card schemes for `setSupportedCardIcons`. */
export const CARD_ICONS = [
  'visa',
  'mastercard',
  'amex',
  'diners',
  'discover',
  'japcb',
  'unionpay',
  'maestro',
  'ausbc',
  'solo',
  'laser',
] as const

/** Built-in themes of the form; `plain` is the default. */
export const THEMES = ['plain', 'soft', 'outline', 'compact'] as const

/** How the card's fields stand: each under its label (the default), or number, expiry and code in one box. */
export const LAYOUTS = ['stacked', 'line'] as const
/** Languages with built-in texts (BCP 47). `pt` is Portugal's, `zh` has simplified characters. */
export const LANGUAGES = [
  'en',
  'fr',
  'de',
  'es',
  'it',
  'pt',
  'pt-BR',
  'nl',
  'ja',
  'zh',
  'zh-TW',
  'ko',
  'ar',
  'hi',
] as const

export type Element = (typeof ELEMENTS)[number]
export type ElementState = (typeof ELEMENT_STATES)[number]
export type ElementProperty = (typeof ELEMENT_PROPERTIES)[number]
export type CardIcon = (typeof CARD_ICONS)[number]
export type Theme = (typeof THEMES)[number]
export type Layout = (typeof LAYOUTS)[number]
export type Language = (typeof LANGUAGES)[number]
export type TextKey = (typeof TEXT_KEYS)[number]
export type StyleKey = (typeof STYLE_KEYS)[number]
export type Texts = Partial<Record<TextKey, string>>
export type Styles = Partial<Record<StyleKey, string>>

/** Keys whose value is one length. */
const LENGTHS: readonly string[] = [
  'icon_size',
  'border_width',
  'field_height',
  'field_padding',
  'focus_width',
  'spacing',
]

/** The CSS property for which the value of a style must be valid. */
export function propertyOfStyle(key: string): string {
  if (key.endsWith('_color')) return 'color'
  if (key.endsWith('_radius')) return 'border-radius'
  if (key.endsWith('_weight')) return 'font-weight'
  // It takes lengths only, and none below zero.
  return LENGTHS.includes(key)
    ? 'padding-top'
    : key.endsWith('_size')
      ? 'font-size'
      : key.replaceAll('_', '-')
}
