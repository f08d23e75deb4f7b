import type { FormErrorCode } from '../contract/page/form-error-code.ts'
import { effect, batch } from '@preact/signals'
import type { FrameSetup, KeySetup } from '../contract/page/frame-setup.ts'
import { Welcome } from '../contract/page/widget-channel.ts'
import { createAfterPaintQueue } from './after-paint-queue.ts'
import { clearOfflineAlert } from './form/alert.ts'
import { createAfterClick } from './form/after-click.ts'
import { emitSize } from './content-size.ts'
import { applyAppearance } from './appearance/apply-appearance.ts'
import type { Command } from '../contract/page/widget-channel.ts'
import type { Browser } from './browser.ts'
import { fieldNameOf, formFieldsOf } from '../contract/page/fields/field-name.ts'
import type { FieldName } from '../contract/page/fields/field-name.ts'
import { keepPlaceOfScreenReaders } from './field/auto-advance.ts'
import { rehearseKeys } from './field/field-actions.ts'
import { readInputs, keepInputsRead } from './field/read-inputs.ts'
import { moveFocus, moveFocusWithin } from './move-focus.ts'
import type { Emit } from './page-channel.ts'
import { finishSubmit, receivedCardOf, reportTokenOutcome } from './submit/report-token-outcome.ts'
import { beginSubmit } from './submit/submit-card.ts'
import { withSlowNotice } from './submit/slow-notice.ts'
import { fault } from './tokenise/service-request.ts'
import { createTokeniser } from './tokenise/tokenise.ts'
import { emptyForm, emptyWhenLeft, reopen, unlessLeft, reportTyped, sayEmptied } from './form/empty-form.ts'
import type { ReceivedCard } from './form/form-state.ts'
import type { Form } from './form/form-view.ts'
import { createSettingsHandler } from './form/settings-handler.ts'
import { lastFourOf, numberVerdict } from '../card/number.ts'
import type { FrameEventContent } from '../contract/page/checkout-event.ts'
import { createForm } from './form/form-view.ts'
import { wordsOf } from './form/form-state.ts'
import { FramePage } from './frame-page.tsx'
import { renderPage } from './render.ts'
import { createServiceClock } from './service-clock.ts'
import { showAbandoned, showContent, showLate, showWelcomed } from './show-content.ts'
import { openPageChannel } from './page-channel.ts'

interface FrameParts extends Browser {
  frameWindow: Window
  /** The element that holds the prerendered form. */
  content: HTMLElement
  setup: FrameSetup
}

const MISMATCH = {
  code: 'version_mismatch',
  message: 'This card form and the page around it are of different versions. Reload the page.',
} as const

/** Hydrates the prerendered form and waits for the page's welcome. Composition root of the frame's document. */
export function startFrame(parts: FrameParts): void {
  const { frameWindow, content, setup, elapsed, after, warn } = parts
  const page = frameWindow.document
  const { now } = createServiceClock(setup.ready ? setup.today : '', elapsed)
  const form = createForm({
    now,
    translation: setup.language,
    inputs: () => content.querySelectorAll('input'),
    afterClick: createAfterClick(page),
    afterPaint: createAfterPaintQueue(frameWindow),
  })
  const emit: Emit = (event) => {
    form.afterPaint.flush() // Events of the form's changes keep their place before it.
    channel.emit(event)
  }
  const execute = (command: Command) => {
    if (command.command === 'cancel') return // That is for a bank's step.
    if (controls !== null) controls.execute(command)
    // A form that takes no card has its looks all the same.
    else if (command.command === 'set') applyAppearance(page, command.settings, warn)
  }
  const channel = openPageChannel(frameWindow, Welcome, after, {
    welcomed: ({ settings, is_reloaded }) => {
      showWelcomed(form)
      execute({ command: 'set', settings })
      if (setup.ready) openForm(form, setup.gateway_type, channel.emit)
      else showUnavailable(form, setup.error, emit)
      if (is_reloaded === true) sayEmptied(form)
      controls?.opened()
      showContent(content)
      emitSize(content, emit)
      effect(() => channel.setTitle(wordsOf(form, 'title')))
      reportTyped(form, channel.tellTyped)
    },
    late: () => showLate(form, content),
    abandoned: () => showAbandoned(form, content),
    mismatched: () => {
      showUnavailable(form, MISMATCH, emit)
      showContent(content)
    },
    commanded: execute,
    reference: () => form.settings.value.ref_id ?? '',
  })
  const controls = setup.ready ? createFormControls(form, { ...parts, setup, page, emit }) : null
  const submit = () => void controls?.submit()
  frameWindow.addEventListener('online', () => clearOfflineAlert(form))
  keepInputsRead(form, frameWindow)
  keepPlaceOfScreenReaders(form, frameWindow)
  const focusForm = () => controls?.focusForm()
  renderPage(content, <FramePage form={form} emit={emit} submit={submit} focusForm={focusForm} />)
  if (!setup.ready) form.unavailable.value = true
}

function openForm(form: Form, gatewayType: string, emit: Emit): void {
  form.phase.value = 'ready'
  emit({ event: 'afterLoad' })
  form.afterPaint.add(rehearseKeys)
  emitFormEvents(form, gatewayType, emit)
}

/** Shows the shopper that no card can be taken, and reports the reason to the page. */
function showUnavailable(form: Form, error: { code: FormErrorCode; message: string }, emit: Emit): void {
  form.unavailable.value = true
  emit({ event: 'systemError', error: { ...error, retryable: false } })
}

type ReadySetup = Extract<KeySetup, { ready: true }>

interface ControlParts extends Browser {
  frameWindow: Window
  setup: ReadySetup
  page: Document
  emit: Emit
}

/** Creates what the form's button and the page's commands do. */
function createFormControls(form: Form, parts: ControlParts) {
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
  const execute = (command: Exclude<Command, { command: 'cancel' }>): void => {
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

/**
 * Emits the form's validity and on every change the new one, and on every change the card's scheme, length and last digits: all of it
 * after the paint, as it takes longer to judge a form than to show it.
 */
function emitFormEvents(form: Form, gatewayType: string, emit: Emit): void {
  let validation = ''
  let metaChange = JSON.stringify(metaChangeOf(form, gatewayType))
  let isWaiting = false
  const emitChanges = () => {
    isWaiting = false
    validation = emitIfNew(emit, validationOf(form), validation)
    metaChange = emitIfNew(emit, metaChangeOf(form, gatewayType), metaChange)
  }
  effect(() => {
    readState(form)
    if (isWaiting) return
    isWaiting = true
    form.afterPaint.add(emitChanges)
  })
}

/** Returns the event as JSON, by which the next one is known to be new. */
function emitIfNew(emit: Emit, event: FrameEventContent, last: string): string {
  const text = JSON.stringify(event)
  if (text !== last) emit(event)
  return text
}

/** Reads all that the events depend on without working anything out. */
function readState({ texts, settings, revealed, refused }: Form): unknown[] {
  return [...Object.values(texts), settings, revealed, refused].map(({ value }) => value)
}

function validationOf({ view }: Form): FrameEventContent {
  const faulty = view.faulty.value
  const kindOf = (field: FieldName) => view.faults[field].value?.kind
  const wrong = (only: FieldName) =>
    formFieldsOf(faulty.filter((field) => field === only && kindOf(field) === 'wrong'))
  return {
    event: 'validation',
    form_valid: faulty.length === 0,
    invalid_fields: formFieldsOf(faulty),
    invalid_showed_fields: formFieldsOf(faulty.filter((field) => view.fields[field].value.isFaultShown)),
    validators: {
      required: formFieldsOf(faulty.filter((field) => kindOf(field) === 'empty')),
      cardNumberValidator: wrong('card_number'),
      expireDateValidation: wrong('expiry'),
    },
  }
}

function metaChangeOf({ view }: Form, gatewayType: string): FrameEventContent {
  const digits = view.digits.value
  const lastFour = lastFourOf(digits)
  return {
    event: 'metaChange',
    card_scheme: view.scheme.value?.name ?? null,
    card_number_length: digits.length,
    ...(lastFour !== '' && numberVerdict(digits) === 'valid' ? { card_number_last4: lastFour } : {}),
    gateway_type: gatewayType,
    type: 'card',
  }
}
