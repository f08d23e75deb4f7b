/** The entry `@svc/widget/react`. */
export { createCardWidget } from './card-widget.ts'
export type { CardWidgetProps, ReactLike } from './card-widget.ts'
