import type { VNode } from 'preact'
import type { Form } from '../form-view.ts'
import { Words } from './words.tsx'

/** Whether the page has a button of its own in the place of the form's. */
export function isSubmitHidden({ settings }: Form): boolean {
  return settings.value.hidden?.includes('submit_button') === true
}

export function Tick(): VNode {
  return (
    <svg class="tick" viewBox="0 0 20 20" aria-hidden="true">
      <path d="m4 10.5 4 4 8-9" fill="none" stroke="currentColor" stroke-width="2.5" />
    </svg>
  )
}

/**
 * The form's button. It has `aria-disabled` and not `disabled`, which would lose the keyboard focus. A hidden button still
 * makes Enter submit the form.
 */
export function SubmitButton({ form }: { form: Form }): VNode {
  const phase = form.phase.value
  const isBusy = phase === 'processing' || (phase === 'opening' && form.waitsForAmount.value)
  return (
    <button
      type="submit"
      class={phase}
      hidden={isSubmitHidden(form)}
      aria-disabled={isBusy || phase === 'finished'}
      aria-describedby="form-alert"
    >
      {isBusy && <span class="spinner" />}
      {phase === 'finished' && <Tick />}
      <Words text={form.view.button.value} />
    </button>
  )
}
