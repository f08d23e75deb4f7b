import { batch } from '@preact/signals'
import type { KeySetup } from '../../contract/page/frame-setup.ts'
import type { Command } from '../../contract/page/widget-channel.ts'
import { clearForm, reopen } from '../field/field-actions.ts'
import { fieldNameOf } from '../field/field-name.ts'
import type { FieldName } from '../field/field-name.ts'
import type { Form } from './form-view.ts'
import type { Emit } from '../page-channel.ts'
import { createRetryingTokeniser } from '../tokenise/retrying-tokeniser.ts'
import type { Surroundings } from '../tokenise/retrying-tokeniser.ts'
import { settle } from '../submit/settle-submit.ts'
import { submitCard } from '../submit/submit-card.ts'
import { createSettingsHandler } from './settings-handler.ts'
import type { Card } from '../tokenise/tokenise.ts'

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
  const tokenise = createRetryingTokeniser(
    { url, credentials: { 'x-user-public-key': public_key }, gatewayId },
    parts,
  )
  const set = createSettingsHandler(form, { page, languagesUrl: setup.languages_url, send, warn })
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
