import { batch } from '@preact/signals'
import { FORM_FIELDS } from '../../contract/page/card-fields.ts'
import { mergedSettings } from '../../contract/page/merged-settings.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { tidyExpiry } from '../field/editing/expiry-text.ts'
import { fieldNameOf } from '../field/field-name.ts'
import { revealFaults } from './form-faults.ts'
import { putInto } from './form-state.ts'
import type { Form } from './form-view.ts'

/** Takes a change of the merchant's settings into the form, and the values it presets into their inputs. */
export function applySettings(form: Form, changes: WidgetSettings): void {
  batch(() => {
    form.settings.value = mergedSettings(form.settings.value, changes)
    presetFields(form, changes.values ?? {})
    revealFaults(form, [])
  })
}

/** Number and code are typed by a person, into this frame: no page can put them there. */
function presetFields(form: Form, given: NonNullable<WidgetSettings['values']>): void {
  for (const field of FORM_FIELDS) {
    const text = given[field]
    if (text === undefined || field === 'card_number' || field === 'card_ccv') continue
    const name = fieldNameOf(field)
    putInto(form, name, name === 'expiry' ? expiryIn(form.settings.value.values) : text)
  }
}

function expiryIn(values: WidgetSettings['values']): string {
  const { expire_month = '', expire_year = '' } = values ?? {}
  return expire_month + expire_year === '' ? '' : tidyExpiry(`${expire_month} / ${expire_year}`)
}
