import type { VNode } from 'preact'
import type { Form } from '../form-view.ts'

/**
 * The form's own button. It is never disabled, which would throw the keyboard's focus away; it says that it rests. Hidden,
 * it still is what makes Enter submit.
 */
export function SubmitButton({ form }: { form: Form }): VNode {
  const phase = form.phase.value
  const resting = phase === 'processing' || phase === 'finished'
  return (
    <button
      type="submit"
      class={phase}
      hidden={form.settings.value.hidden?.includes('submit_button') === true}
      aria-disabled={resting}
      aria-describedby="form-alert"
    >
      {phase === 'processing' && <span class="spinner" />}
      {phase === 'finished' && (
        <svg class="tick" viewBox="0 0 20 20" aria-hidden="true">
          <path d="m4 10.5 4 4 8-9" fill="none" stroke="currentColor" stroke-width="2.5" />
        </svg>
      )}
      {form.view.button.value}
    </button>
  )
}
