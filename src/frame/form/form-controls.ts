import { batch } from '@preact/signals'
import type { KeySetup } from '../../contract/page/frame-setup.ts'
import type { Command } from '../../contract/page/widget-channel.ts'
import type { Browser } from '../browser.ts'
import { fieldNameOf } from '../../contract/page/fields/field-name.ts'
import type { FieldName } from '../../contract/page/fields/field-name.ts'
import { readInputs } from '../field/read-inputs.ts'
import { moveFocus, moveFocusWithin } from '../move-focus.ts'
import type { Emit } from '../page-channel.ts'
import { finishSubmit, receivedCardOf, reportTokenOutcome } from '../submit/report-token-outcome.ts'
import { beginSubmit } from '../submit/submit-card.ts'
import { withSlowNotice } from '../submit/slow-notice.ts'
import { fault } from '../tokenise/service-request.ts'
import { createTokeniser } from '../tokenise/tokenise.ts'
import { emptyForm, emptyWhenLeft, reopen, unlessLeft } from './empty-form.ts'
import type { Form } from './form-view.ts'
import { createSettingsHandler } from './settings-handler.ts'

type ReadySetup = Extract<KeySetup, { ready: true }>

interface ControlParts extends Browser {
  frameWindow: Window
  setup: ReadySetup
  page: Document
  emit: Emit
}

/** Creates what the form's button and the page's commands do. */
export function createFormControls(form: Form, parts: ControlParts) {
  const { setup, page, emit } = parts
  const { tokens_url: url, gateway_id: gatewayId } = setup
  const credentials = { 'x-user-public-key': setup.public_key }
  const { tokenise, forget } = createTokeniser({ url, credentials, gatewayId }, parts)
  const changeSettings = createSettingsHandler(form, { ...parts, languagesUrl: setup.languages_url })
  const focus = (field: FieldName) => moveFocus(page, field)
  const focusWithin = (id: string) => moveFocusWithin(page, id)
  emptyWhenLeft(form, parts.frameWindow, forget)

  let isPressedEarly = false
  let endPageWork: (isDone: boolean) => void = () => undefined
  const submit = async () => {
    isPressedEarly = form.phase.value === 'opening'
    if (isPressedEarly) return
    readInputs(form)
    const card = beginSubmit(form, { emit, focus })
    if (card === null) return
    await withSlowNotice(form, parts.after, async () => {
      const received = receivedCardOf(form)
      const outcome = await unlessLeft(form, tokenise(card), fault('network_error', true))
      const pageWork = new Promise<boolean>((resolve) => (endPageWork = resolve))
      batch(() => reportTokenOutcome(form, { emit, focus: focusWithin }, outcome))
      if (outcome.kind !== 'token') return
      const isDone = await orAfter(pageWork, parts.after)
      finishSubmit(form, isDone, { received, focusReceived: () => focusWithin('received') })
    })
  }
  const execute = (command: Command): void => {
    readInputs(form)
    switch (command.command) {
      case 'set':
        changeSettings(command.settings)
        break
      case 'submit':
        reopen(form)
        void submit()
        break
      case 'settle':
        endPageWork(command.is_done)
        break
      case 'focus':
        reopen(form)
        focus(command.field ? fieldNameOf(command.field) : firstToFocus(form))
        break
      case 'clear':
        emptyForm(form)
    }
  }
  return {
    submit,
    focusForm: () => void focus(firstToFocus(form)),
    execute,
    /** Call this when the form is ready: carries out a press on the button that came before. */
    opened: () => {
      if (isPressedEarly) void submit()
    },
  }
}

/** A page that never says how its work ended has the token all the same. */
const LONGEST_PAGE_WORK_MS = 120_000

function orAfter(pageWork: Promise<boolean>, after: Browser['after']): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = after(LONGEST_PAGE_WORK_MS, () => resolve(true))
    void pageWork.then((isDone) => {
      cancel()
      resolve(isDone)
    })
  })
}

/** The first faulty field, or else the first of all. */
function firstToFocus({ view }: Form): FieldName {
  return view.faulty.value[0] ?? view.shown.value[0] ?? 'card_number'
}
