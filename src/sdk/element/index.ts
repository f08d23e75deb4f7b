/** The entry `@svc/widget/element`: defines `<svc-card-widget>`. */
import { defineCardWidget } from './card-widget-element.ts'
import type { CardWidgetElement } from './card-widget-element.ts'

export { defineCardWidget }
export type { CardWidgetElement }

declare global {
  interface HTMLElementTagNameMap {
    'svc-card-widget': CardWidgetElement
  }
}

defineCardWidget()
