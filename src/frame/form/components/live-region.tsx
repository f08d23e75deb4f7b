import type { VNode } from 'preact'
import type { Form } from '../form-view.ts'

/**
 * The document's one live region: what screen readers are to say, with a pause between its lines. A component of its own, so that no form
 * is rendered for it.
 */
export function LiveRegion({ form }: { form: Form }): VNode {
  return (
    <div class="unseen" role="status" aria-live="polite" aria-atomic="true">
      {form.announcement.value.split('\n').map((line) => (
        <div key={line}>{line}</div>
      ))}
    </div>
  )
}
