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
import type { ReceivedCard } from './form-state.ts'
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
  const { tokenise, forget } = createTokeniser(endpointOf(setup), parts)
  const changeSettings = createSettingsHandler(form, { ...parts, languagesUrl: setup.languages_url })
  const focus = (field: FieldName) => moveFocus(page, field)
  const focusWithin = (id: string) => moveFocusWithin(page, id)
  emptyWhenLeft(form, parts.frameWindow, forget)

  let isPressedEarly = false
  /** What is shown in the place of the fields once the page is done; null if somebody wants the fields by then. */
  let received: ReceivedCard | null = null
  form.whenLeft.add(() => (received = null))
  const pageWork = createPageWork(parts.after)
  const submit = async () => {
    isPressedEarly = form.phase.value === 'opening'
    if (isPressedEarly) return
    readInputs(form)
    const card = beginSubmit(form, { emit, focus })
    if (card === null) return
    await withSlowNotice(form, parts.after, async () => {
      received = receivedCardOf(form)
      const outcome = await unlessLeft(form, tokenise(card), fault('network_error', true))
      batch(() => reportTokenOutcome(form, { emit, focus: focusWithin }, outcome))
      if (outcome.kind !== 'token') return
      finishSubmit(form, await pageWork.begin(), { received, focusReceived: () => focusWithin('received') })
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
        pageWork.end(command.is_done)
        break
      case 'focus':
        received = null
        reopen(form)
        focus(command.field ? fieldNameOf(command.field) : firstToFocus(form))
        break
      case 'clear':
        received = null
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

function endpointOf({ tokens_url: url, public_key, gateway_id: gatewayId }: ReadySetup) {
  return { url, credentials: { 'x-user-public-key': public_key }, gatewayId }
}

/** A page that never says how its work ended has the token all the same. */
const LONGEST_PAGE_WORK_MS = 120_000

function createPageWork(after: Browser['after']) {
  let end: (isDone: boolean) => void = () => undefined
  return {
    /** Resolves once the page says whether it is done with the token that it now gets. */
    begin: () =>
      new Promise<boolean>((resolve) => {
        const cancel = after(LONGEST_PAGE_WORK_MS, () => resolve(true))
        end = (isDone) => {
          cancel()
          resolve(isDone)
        }
      }),
    end: (isDone: boolean) => end(isDone),
  }
}

/** The first faulty field, or else the first of all. */
function firstToFocus({ view }: Form): FieldName {
  return view.faulty.value[0] ?? view.shown.value[0] ?? 'card_number'
}
