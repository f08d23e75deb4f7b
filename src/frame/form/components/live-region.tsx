import type { VNode } from 'preact'
import type { Form } from '../form-view.ts'

/** The document's one live region: what screen readers are to say. A component of its own, so that no form is rendered for it. */
export function LiveRegion({ form }: { form: Form }): VNode {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {form.announcement.value}
    </p>
  )
}
