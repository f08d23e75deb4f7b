import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { applySettings } from './apply-settings.ts'
import { applyAppearance } from '../appearance/apply-appearance.ts'
import type { Form } from './form-view.ts'
import { createLanguageSwitch } from '../language/language-switch.ts'

type Parts = Parameters<typeof createLanguageSwitch>[1]

/** Returns the handler for the page's settings: the form's content, looks and language. */
export function createSettingsHandler(form: Form, parts: Parts): (settings: WidgetSettings) => void {
  const speak = createLanguageSwitch(form, parts)
  return (settings) => {
    applySettings(form, settings)
    applyAppearance(parts.page, settings, parts.warn)
    if (settings.language !== undefined) void speak(settings.language)
  }
}
