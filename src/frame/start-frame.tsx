import { effect } from '@preact/signals'
import type { FrameSetup } from '../contract/page/frame-setup.ts'
import { Welcome } from '../contract/page/widget-channel.ts'
import { createAfterClick } from './form/after-click.ts'
import { tellSize } from './content-size.ts'
import { applyAppearance } from './appearance/apply-appearance.ts'
import { createFormControls } from './form/form-controls.ts'
import { takeEarlyTyping } from './field/early-typing.ts'
import { tellChanges } from './form/form-events.ts'
import { createForm } from './form/form-view.ts'
import type { Form } from './form/form-view.ts'
import { wordsOf } from './form/form-state.ts'
import { FramePage } from './frame-page.tsx'
import { renderPage } from './render.ts'
import { openPageChannel } from './page-channel.ts'
import type { Emit } from './page-channel.ts'
import type { Surroundings } from './tokenise/retrying-tokeniser.ts'

interface FrameParts extends Surroundings {
  frameWindow: Window
  /** The element that holds the prerendered form. */
  content: HTMLElement
  setup: FrameSetup
  warn: (message: string) => void
}

const MISMATCH = {
  code: 'version_mismatch',
  message: 'This card form and the page around it are of different versions. Reload the page.',
}

/** Brings the prerendered form to life and waits for the page's welcome; the frame's composition root. */
export function startFrame(parts: FrameParts): void {
  const { frameWindow, content, setup, now, warn } = parts
  const page = frameWindow.document
  const form = createForm({ now, translation: setup.language, afterClick: createAfterClick(page) })
  const { emit, nameFrame } = openPageChannel(frameWindow, Welcome, {
    welcomed: ({ settings }) => {
      if (controls === null) applyAppearance(page, settings, warn)
      else controls.obey({ command: 'set', settings })
      if (setup.ready) openForm(form, setup.gateway_type, emit)
      else closeForm(form, setup.error, emit)
      tellSize(content, emit)
      effect(() => nameFrame(wordsOf(form, 'title')))
    },
    mismatched: () => closeForm(form, MISMATCH, emit),
    commanded: (command) => controls?.obey(command),
    reference: () => form.settings.value.ref_id ?? '',
  })
  const controls = setup.ready ? createFormControls(form, { ...parts, setup, page, emit }) : null
  const submit = () => controls?.submit()
  takeEarlyTyping(form, content)
  renderPage(content, <FramePage form={form} emit={emit} submit={submit} />)
  if (!setup.ready) form.closed.value = true
}

function openForm(form: Form, gatewayType: string, emit: Emit): void {
  form.phase.value = 'ready'
  emit({ event: 'afterLoad' })
  tellChanges(form, gatewayType, emit)
}

/** The shopper reads that no card can be taken, in calm words; the page's developer hears why. */
function closeForm(form: Form, error: { code: string; message: string }, emit: Emit): void {
  form.closed.value = true
  emit({ event: 'systemError', error: { ...error, retryable: false } })
}
