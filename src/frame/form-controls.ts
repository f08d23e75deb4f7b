import type { Command } from '../contract/widget-channel.ts'
import type { WidgetSettings } from '../contract/widget-settings.ts'
import { applySettings } from './apply-settings.ts'
import { dressForm } from './dress-form.ts'
import { clearForm, reopen } from './field-actions.ts'
import { fieldNameOf } from './field-name.ts'
import type { FieldName } from './field-name.ts'
import { faultyFieldsOf } from './form-faults.ts'
import { shownFieldsOf } from './form-fields.ts'
import type { FormState } from './form-state.ts'
import { createLanguageSwitch } from './language-switch.ts'
import type { Emit } from './page-channel.ts'
import { createPatientTokeniser } from './patient-tokeniser.ts'
import type { Surroundings } from './patient-tokeniser.ts'
import { submitCard } from './submit-card.ts'
import type { ReadySetup } from './tokenise.ts'

interface ControlParts extends Surroundings {
  setup: ReadySetup
  page: Document
  emit: Emit
  warn: (message: string) => void
}

/** Makes what the form's button and the page's commands do. */
export function createFormControls(form: FormState, parts: ControlParts) {
  const { setup, page, emit, send, warn } = parts
  const tokenise = createPatientTokeniser(setup, parts)
  const speak = createLanguageSwitch(form, { page, languagesUrl: setup.languages_url, send, warn })
  const focus = (field: FieldName) => page.getElementById(field)?.focus()
  const submit = () => void submitCard(form, { tokenise, emit, focus })
  const set = (settings: WidgetSettings) => {
    applySettings(form, settings)
    dressForm(page, settings, warn)
    if (settings.language !== undefined) void speak(settings.language)
  }
  const obey = (command: Command): void => {
    switch (command.command) {
      case 'set':
        set(command.settings)
        break
      case 'submit':
        reopen(form)
        submit()
        break
      case 'focus':
        reopen(form)
        focus(command.field === undefined ? openFieldOf(form) : fieldNameOf(command.field))
        break
      case 'clear':
        clearForm(form)
    }
  }
  return { submit, obey }
}

/** The first field that needs an answer, or the first of all. */
function openFieldOf(form: FormState): FieldName {
  return faultyFieldsOf(form)[0] ?? shownFieldsOf(form.settings.value)[0] ?? 'card_number'
}
