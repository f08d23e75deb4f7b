import { ELEMENT_PROPERTIES, STYLE_KEYS, TEXT_KEYS } from '../contract/page/widget-appearance.ts'
import type { PreviewSettings } from '../contract/dashboard/templates/template-preview.ts'
import type { HtmlWidget } from '../sdk/html-widget.ts'
import type { FieldName } from '../sdk/settings/form-elements.ts'

/** Sets on a card form what the settings say, by the methods that a merchant's page has. */
export function applySettings(form: HtmlWidget, settings: PreviewSettings): void {
  const { texts = {}, styles = {}, element_styles = [], theme, language } = settings
  for (const [key, text] of entriesIn(TEXT_KEYS, texts)) form.setText(key, text)
  for (const [key, value] of entriesIn(STYLE_KEYS, styles)) form.setStyle(key, value)
  for (const { element, state, styles: properties } of element_styles) {
    for (const [property, value] of entriesIn(ELEMENT_PROPERTIES, properties))
      form.setElementStyle(element, state, { [property]: value })
  }
  if (theme) form.setTheme(theme)
  if (language) form.setLanguage(language)
  applyCard(form, settings)
}

function applyCard(form: HtmlWidget, { fields, card_icons, only_supported }: PreviewSettings): void {
  if (fields)
    form.setFormFields(fields.map(({ field, required }): FieldName => (required ? `${field}*` : field)))
  if (card_icons) form.setSupportedCardIcons(card_icons, only_supported)
}

/** The entries that have a value, under those keys. */
function entriesIn<Key extends string>(
  keys: readonly Key[],
  values: Readonly<Partial<Record<Key, string | undefined>>>,
): (readonly [Key, string])[] {
  return keys.flatMap((key) => {
    const value = values[key]
    return value === undefined ? [] : [[key, value] as const]
  })
}
