/** Types of `<svc-card-widget>` in the JSX of React 19, for whoever imports `@svc/widget/react`. */
import type * as React from 'react'
import type { CardWidgetAttributes, CardWidgetElement } from '../element/card-widget-element.ts'

type ElementProps = React.DetailedHTMLProps<React.HTMLAttributes<CardWidgetElement>, CardWidgetElement>

declare module 'react' {
  // oxlint-disable-next-line typescript/no-namespace -- how React's types have it
  namespace JSX {
    interface IntrinsicElements {
      'svc-card-widget': CardWidgetAttributes & ElementProps
    }
  }
}
