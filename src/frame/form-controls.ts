import { batch } from '@preact/signals'
import type { KeySetup } from '../contract/frame-setup.ts'
import type { Command } from '../contract/widget-channel.ts'
import { clearForm, reopen } from './field-actions.ts'
import { fieldNameOf } from './field-name.ts'
import type { FieldName } from './field-name.ts'
import type { Form } from './form-view.ts'
import type { Emit } from './page-channel.ts'
import { createPatientTokeniser } from './patient-tokeniser.ts'
import type { Surroundings } from './patient-tokeniser.ts'
import { settle } from './settle-submit.ts'
import { submitCard } from './submit-card.ts'
import { createSettingsTaker } from './take-settings.ts'
import type { Card } from './tokenise.ts'

type ReadySetup = Extract<KeySetup, { ready: true }>

interface ControlParts extends Surroundings {
  setup: ReadySetup
  page: Document
  emit: Emit
  warn: (message: string) => void
}

/** Makes what the form's button and the page's commands do. */
export function createFormControls(form: Form, parts: ControlParts) {
  const { setup, page, emit, send, warn } = parts
  const { tokens_url: url, public_key, gateway_id: gatewayId } = setup
  const tokenise = createPatientTokeniser(
    { url, credentials: { 'x-user-public-key': public_key }, gatewayId },
    parts,
  )
  const set = createSettingsTaker(form, { page, languagesUrl: setup.languages_url, send, warn })
  const focus = (field: FieldName) => page.getElementById(field)?.focus()
  const sendCard = async (card: Card) => {
    const outcome = await tokenise(card)
    batch(() => settle(form, { emit, focus }, outcome))
  }
  const submit = () => void submitCard(form, { sendCard, emit, focus })
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
function openFieldOf({ view }: Form): FieldName {
  return view.faulty.value[0] ?? view.shown.value[0] ?? 'card_number'
}
