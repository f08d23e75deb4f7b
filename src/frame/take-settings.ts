import type { WidgetSettings } from '../contract/widget-settings.ts'
import { applySettings } from './apply-settings.ts'
import { dressForm } from './dress-form.ts'
import type { Form } from './form-view.ts'
import { createLanguageSwitch } from './language-switch.ts'

type Parts = Parameters<typeof createLanguageSwitch>[1]

/** Makes the one that takes settings while the form is there: its content, its looks, its language. */
export function createSettingsTaker(form: Form, parts: Parts): (settings: WidgetSettings) => void {
  const speak = createLanguageSwitch(form, parts)
  return (settings) => {
    applySettings(form, settings)
    dressForm(parts.page, settings, parts.warn)
    if (settings.language !== undefined) void speak(settings.language)
  }
}
