import { effect } from '@preact/signals'
import type { FrameSetup } from '../contract/frame-setup.ts'
import { Welcome } from '../contract/widget-channel.ts'
import { createAfterPress } from './after-press.ts'
import { tellSize } from './content-size.ts'
import { dressForm } from './dress-form.ts'
import { createFormControls } from './form-controls.ts'
import { takeEarlyTyping } from './early-typing.ts'
import { tellChanges } from './form-events.ts'
import { createForm } from './form-view.ts'
import type { Form } from './form-view.ts'
import { wordsOf } from './form-state.ts'
import { FramePage } from './frame-page.tsx'
import { renderPage } from './render.ts'
import { openPageChannel } from './page-channel.ts'
import type { Emit } from './page-channel.ts'
import type { Surroundings } from './patient-tokeniser.ts'

interface FrameParts extends Surroundings {
  room: Window
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
  const { room, content, setup, now, warn } = parts
  const page = room.document
  const form = createForm({ now, speech: setup.language, afterPress: createAfterPress(page) })
  const { emit, nameFrame } = openPageChannel(room, Welcome, {
    welcomed: ({ settings }) => {
      if (controls === null) dressForm(page, settings, warn)
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
