import type { HtmlWidget } from '../sdk/html-widget.ts'
import { openDashboardChannel } from './dashboard-channel.ts'
import { createShownForm } from './shown-form.ts'

interface PreviewParts {
  window: Window & typeof globalThis
  /** The dashboard's origin: the only one that may frame this document, and that it listens to. */
  dashboard: string
  /** A card form in the document, which is not loaded yet. */
  createWidget: () => HtmlWidget
}

/** Shows the card form by the settings that the dashboard sends, each time that it sends some. */
export function startPreview({ window, dashboard, createWidget }: PreviewParts): void {
  const { report, listen } = openDashboardChannel(window, dashboard)
  const { body } = window.document
  const tellHeight = () => report({ state: 'shown', height: Math.ceil(body.getBoundingClientRect().height) })
  const show = createShownForm(createWidget, {
    shown: tellHeight,
    failed: (message) => report({ state: 'failed', message }),
  })
  listen(({ settings }) => show(settings))
  new window.ResizeObserver(tellHeight).observe(body)
  report({ state: 'ready' })
}
