import { effect } from '@preact/signals'
import { hydrate, render } from 'preact'
import type { FrameSetup } from '../contract/frame-setup.ts'
import type { Welcome } from '../contract/widget-channel.ts'
import type { VNode } from 'preact'
import { tellSize } from './content-size.ts'
import { tellChanges } from './form-events.ts'
import { createFormState } from './form-state.ts'
import type { FormState } from './form-state.ts'
import { FramePage } from './frame-page.tsx'
import { openPageChannel } from './page-channel.ts'
import type { Emit } from './page-channel.ts'
import { applyStyles } from './styles.ts'
import { submitCard } from './submit-card.ts'
import { withTexts } from './texts.ts'
import { tokenise } from './tokenise.ts'

interface FrameParts {
  room: Window
  /** The element that holds the prerendered form. */
  content: HTMLElement
  setup: FrameSetup
  /** The time, in ms since 1970. */
  now: () => number
  send: typeof fetch
  warn: (message: string) => void
}

const MISMATCH = {
  code: 'version_mismatch',
  message: 'This card form and the page around it are of different versions. Reload the page.',
}

/** Brings the prerendered form to life and waits for the page's welcome; the frame's composition root. */
export function startFrame({ room, content, setup, now, send, warn }: FrameParts): void {
  const form = createFormState(now)
  const dress = (texts: Welcome['texts'], styles: Welcome['styles']) => {
    form.texts.value = withTexts(form.texts.value, texts)
    applyStyles(room.document.documentElement, styles, warn)
  }
  const emit = openPageChannel(room, {
    welcomed: ({ texts, styles }) => {
      dress(texts, styles)
      if (setup.ready) openForm(form, setup.gateway_type, emit)
      else closeForm(form, setup.error, emit)
      tellSize(content, emit)
    },
    mismatched: () => closeForm(form, MISMATCH, emit),
    commanded: (command) =>
      command.command === 'set_texts' ? dress(command.texts, {}) : dress({}, command.styles),
  })
  const submit = () => {
    if (!setup.ready) return
    void submitCard(form, {
      tokenise: (card) => tokenise(card, setup, send),
      emit,
      focus: (field) => room.document.getElementById(field)?.focus(),
    })
  }
  keepShown(content, () => <FramePage form={form} emit={emit} submit={submit} />)
  if (!setup.ready) form.closed.value = setup.error.message
}

/** Shows the page and shows it anew, at once, whenever a signal that it reads changes. */
function keepShown(content: HTMLElement, page: () => VNode): void {
  let show = hydrate
  effect(() => {
    show(page(), content)
    show = render
  })
}

function openForm(form: FormState, gatewayType: string, emit: Emit): void {
  form.phase.value = 'ready'
  emit({ event: 'afterLoad' })
  tellChanges(form, gatewayType, emit)
}

function closeForm(form: FormState, error: { code: string; message: string }, emit: Emit): void {
  form.closed.value = error.message
  emit({ event: 'systemError', error: { ...error, retryable: false } })
}
