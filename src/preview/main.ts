import { PREVIEW_KEY } from '../contract/dashboard/templates/template-preview.ts'
import type { HtmlWidget } from '../sdk/html-widget.ts'
import { startPreview } from './start-preview.ts'

/** What the SDK's script, which stands before this one in the document, defines. */
declare const svc: { HtmlWidget: typeof HtmlWidget }

startPreview({
  window,
  dashboard: document.documentElement.dataset['dashboard'] ?? '',
  createWidget: () => new svc.HtmlWidget('#form', PREVIEW_KEY),
})
