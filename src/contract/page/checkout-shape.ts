import type { Language } from './widget-appearance.ts'
import type { WidgetSettings } from './widget-settings.ts'

/**
 * What an intent's token tells of its checkout before the intent is read, so that the page keeps the right place free for it: the
 * claim `shape`, as JSON. Nothing in it is private; it may be missing.
 */
export interface CheckoutShape {
  /** Characters of the description, of which wide ones (Chinese, Japanese, Korean, emoji) count as two; 0 without one. */
  description: number
  /** That of the template. */
  language?: Language
  /** What templates say of the form's parts and their sizes; absent where no template changes how the form looks. */
  form?: ShapedForm
}

export interface ShapedForm extends Pick<WidgetSettings, 'theme' | 'layout' | 'styles' | 'card_icons'> {
  /** Names of the fields, in display order. */
  fields?: string[]
  /** Of titles and headings only the first character, which says that they are shown. */
  texts?: WidgetSettings['texts']
}

/** The styles that change sizes. */
export const SHAPING_STYLES = [
  'font_size',
  'icon_size',
  'background_color',
  'border_width',
  'field_height',
  'label_size',
  'note_size',
  'spacing',
] as const
