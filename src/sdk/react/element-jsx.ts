/** Types of the elements in the JSX of React 19, for whoever imports `@svc/widget/react`. */
import type * as React from 'react'
import type { CardChallengeAttributes, CardChallengeElement } from '../element/card-challenge-element.ts'
import type { CardWidgetAttributes, CardWidgetElement } from '../element/card-widget-element.ts'

type ElementProps<Element> = React.DetailedHTMLProps<React.HTMLAttributes<Element>, Element>

declare module 'react' {
  // oxlint-disable-next-line typescript/no-namespace -- how React's types have it
  namespace JSX {
    interface IntrinsicElements {
      'svc-card-challenge': CardChallengeAttributes & ElementProps<CardChallengeElement>
      'svc-card-widget': CardWidgetAttributes & ElementProps<CardWidgetElement>
    }
  }
}
