import { batch } from '@preact/signals'
import { FORM_FIELDS } from '../../contract/page/fields/card-fields.ts'
import { mergedSettings } from '../../contract/page/merged-settings.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { applyAppearance } from '../appearance/apply-appearance.ts'
import { countryShown, translateCountry } from '../field/address.ts'
import { tidyExpiry } from '../field/editing/expiry-text.ts'
import { fieldNameOf } from '../../contract/page/fields/field-name.ts'
import type { FieldName } from '../../contract/page/fields/field-name.ts'
import { createLanguageSwitch } from '../language/language-switch.ts'
import type { LanguageSource } from '../language/language-switch.ts'
import { moveFocusWithin } from '../move-focus.ts'
import { announce } from './announce.ts'
import { revealFaults } from './form-faults.ts'
import { setText, textOf } from './form-state.ts'
import type { Form } from './form-view.ts'

/** Settings that style the document. Everything else is content of the form, which is rendered again when it changes. */
const APPEARANCE: readonly string[] = ['color_scheme', 'theme', 'styles', 'element_styles']

/** Returns the handler for changed settings: it updates the form's content, appearance and language. */
export function createSettingsHandler(form: Form, source: LanguageSource): (change: WidgetSettings) => void {
  const switchLanguage = createLanguageSwitch(form.translation.value, source, (translation) => {
    announce(form, '')
    translateCountry(form, translation)
    form.translation.value = translation
  })
  return (change) => {
    if (Object.keys(change).some((name) => !APPEARANCE.includes(name))) changeContent(form, change)
    applyAppearance(source.page, change, source.warn)
    if (change.language !== undefined) void switchLanguage(change.language)
  }
}

function changeContent(form: Form, change: WidgetSettings): void {
  const restoreFocus = keepFocus(form)
  batch(() => {
    form.settings.value = mergedSettings(form.settings.value, change)
    presetFields(form, change.values ?? {})
    revealFaults(form, [])
  })
  form.afterPaint.flush()
  restoreFocus()
}

/** Browsers take the focus from an input that moves among others, and another layout replaces it. Returns the function that gives it back, with its selection. */
function keepFocus({ inputs }: Form): () => void {
  const focused = [...inputs()].find((input) => input === input.ownerDocument.activeElement)
  const { selectionStart = null, selectionEnd = null } = focused ?? {}
  return () => {
    const input = [...inputs()].find(({ id }) => id === focused?.id)
    if (input === undefined) return
    // Laid out at once: until then Firefox gives keys to the document instead.
    input.getBoundingClientRect()
    if (moveFocusWithin(input.ownerDocument, input.id)) input.setSelectionRange(selectionStart, selectionEnd)
  }
}

/**
 * Fills inputs with the merchant's values, but for what a person has typed before the first of them came. The number and code are only
 * ever typed by a person into this frame.
 */
export function presetFields(form: Form, values: NonNullable<WidgetSettings['values']>): void {
  for (const field of FORM_FIELDS) {
    const text = values[field]
    if (text === undefined || field === 'card_number' || field === 'card_ccv') continue
    const name = fieldNameOf(field)
    if (form.phase.value === 'opening' && textOf(form, name) !== '') continue
    const preset = presetOf(form, name, text)
    form.presets.set(name, preset)
    setText(form, name, preset)
  }
}

/** What an input shows for a value that the page has set. */
function presetOf(form: Form, name: FieldName, text: string): string {
  if (name === 'expiry') return expiryIn(form.settings.value.values)
  return name === 'address_country' ? countryShown(form, text) : text
}

function expiryIn(values: WidgetSettings['values']): string {
  const { expire_month = '', expire_year = '' } = values ?? {}
  return expire_month + expire_year === '' ? '' : tidyExpiry(`${expire_month} / ${expire_year}`)
}
