import type { PreviewSettings } from '../contract/dashboard/templates/template-preview.ts'
import type { HtmlWidget } from '../sdk/html-widget.ts'
import { applySettings } from './apply-settings.ts'
import { takesAway } from './takes-away.ts'

interface Outcome {
  shown: () => void
  failed: (message: string) => void
}

/**
 * Keeps one card form in step with settings: it takes what is added or changed at once. What is taken away a form does not
 * forget, so then another is made in its place.
 */
export function createShownForm(
  createWidget: () => HtmlWidget,
  { shown, failed }: Outcome,
): (settings: PreviewSettings) => void {
  let form: HtmlWidget | null = null
  let before: PreviewSettings = {}
  return (settings) => {
    const isAnew = form === null || takesAway(before, settings)
    if (isAnew) form?.destroy()
    const current = isAnew || form === null ? createWidget().useAutoResize() : form
    applySettings(current, settings)
    form = current
    before = settings
    if (!isAnew) return
    current.load().then(shown, (error: unknown) => {
      if (form === current) failed(error instanceof Error ? error.message : String(error))
    })
  }
}
