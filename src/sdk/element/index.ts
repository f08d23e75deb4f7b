/** The entry `@svc/widget/element`: defines `<svc-card-widget>` and `<svc-card-challenge>`. */
import { defineCardChallenge } from './card-challenge-element.ts'
import type { CardChallengeAttributes, CardChallengeElement } from './card-challenge-element.ts'
import { defineCardWidget } from './card-widget-element.ts'
import type { CardWidgetAttributes, CardWidgetElement } from './card-widget-element.ts'

export { defineCardChallenge, defineCardWidget }
export type { CardChallengeAttributes, CardChallengeElement, CardWidgetAttributes, CardWidgetElement }

declare global {
  interface HTMLElementTagNameMap {
    'svc-card-challenge': CardChallengeElement
    'svc-card-widget': CardWidgetElement
  }
}

defineCardChallenge()
defineCardWidget()
