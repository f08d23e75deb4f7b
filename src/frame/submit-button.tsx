import type { VNode } from 'preact'
import type { FormState, Phase } from './form-state.ts'
import type { FormTexts } from './texts.ts'

/** The form's own button. It is never disabled, which would throw the keyboard's focus away; it says that it rests. */
export function SubmitButton({ form }: { form: FormState }): VNode {
  const phase = form.phase.value
  const resting = phase === 'processing' || phase === 'finished'
  return (
    <button type="submit" class={phase} aria-disabled={resting} aria-describedby="form-alert">
      {phase === 'processing' && <span class="spinner" />}
      {phase === 'finished' && (
        <svg class="tick" viewBox="0 0 20 20" aria-hidden="true">
          <path d="m4 10.5 4 4 8-9" fill="none" stroke="currentColor" stroke-width="2.5" />
        </svg>
      )}
      {buttonText(form.texts.value, phase)}
    </button>
  )
}

function buttonText(texts: FormTexts, phase: Phase): string {
  if (phase === 'processing') return texts.submit_button_processing
  return phase === 'finished' ? texts.finish_text : texts.submit_button
}
