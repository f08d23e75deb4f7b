/** Keys of `setTexts` (contract §1). */
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

/** Characters that one text or style may have. */
export const MAX_VALUE_LENGTH = 2000

/** Keys of `setStyles` (contract §1). */
export const STYLE_KEYS = [
  'background_color',
  'background_active_color',
  'text_color',
  'border_color',
  'button_color',
  'error_color',
  'success_color',
  'icon_size',
  'font_size',
  'font_family',
] as const

export type TextKey = (typeof TEXT_KEYS)[number]
export type StyleKey = (typeof STYLE_KEYS)[number]
export type Texts = Partial<Record<TextKey, string>>
export type Styles = Partial<Record<StyleKey, string>>
