import type { FormErrorCode } from '../contract/page/form-error-code.ts'
import { effect } from '@preact/signals'
import type { FrameSetup } from '../contract/page/frame-setup.ts'
import { Welcome } from '../contract/page/widget-channel.ts'
import { createAfterPaintQueue } from './after-paint-queue.ts'
import { clearOfflineAlert } from './form/alert.ts'
import { createAfterClick } from './form/after-click.ts'
import { emitSize } from './content-size.ts'
import { applyAppearance } from './appearance/apply-appearance.ts'
import { createFormControls } from './form/form-controls.ts'
import { keepInputsRead } from './field/read-inputs.ts'
import { emitFormEvents } from './form/form-events.ts'
import { reportTyped, sayEmptied } from './form/empty-form.ts'
import { createForm } from './form/form-view.ts'
import type { Form } from './form/form-view.ts'
import { wordsOf } from './form/form-state.ts'
import type { Browser } from './browser.ts'
import { FramePage } from './frame-page.tsx'
import { renderPage } from './render.ts'
import { createServiceClock } from './service-clock.ts'
import { showAbandoned, showContent, showLate, showWelcomed } from './show-content.ts'
import { openPageChannel } from './page-channel.ts'
import type { Emit } from './page-channel.ts'

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
  const channel = openPageChannel(frameWindow, Welcome, after, {
    welcomed: ({ settings, is_reloaded }) => {
      showWelcomed(form)
      if (controls === null) applyAppearance(page, settings, warn)
      else controls.execute({ command: 'set', settings })
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
    commanded: (command) => controls?.execute(command),
    reference: () => form.settings.value.ref_id ?? '',
  })
  const controls = setup.ready ? createFormControls(form, { ...parts, setup, page, emit }) : null
  const submit = () => void controls?.submit()
  frameWindow.addEventListener('online', () => clearOfflineAlert(form))
  keepInputsRead(form, frameWindow)
  const focusForm = () => controls?.focusForm()
  renderPage(content, <FramePage form={form} emit={emit} submit={submit} focusForm={focusForm} />)
  if (!setup.ready) form.unavailable.value = true
}

function openForm(form: Form, gatewayType: string, emit: Emit): void {
  form.phase.value = 'ready'
  emit({ event: 'afterLoad' })
  emitFormEvents(form, gatewayType, emit)
}

/** Shows the shopper that no card can be taken, and reports the reason to the page. */
function showUnavailable(form: Form, error: { code: FormErrorCode; message: string }, emit: Emit): void {
  form.unavailable.value = true
  emit({ event: 'systemError', error: { ...error, retryable: false } })
}
