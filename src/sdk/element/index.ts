/** The entry `@svc/widget/element`: defines `<svc-card-widget>`. */
import { defineCardWidget } from './card-widget-element.ts'
import type { CardWidgetAttributes, CardWidgetElement } from './card-widget-element.ts'

export { defineCardWidget }
export type { CardWidgetAttributes, CardWidgetElement }

declare global {
  interface HTMLElementTagNameMap {
    'svc-card-widget': CardWidgetElement
  }
}

defineCardWidget()
