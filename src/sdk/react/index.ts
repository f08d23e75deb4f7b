/** The entry `@svc/widget/react`. */
import './element-jsx.ts'

export { CardChallenge } from './card-challenge.ts'
export type { CardChallengeProps } from './card-challenge.ts'
export { CardWidget } from './card-widget.ts'
export { Checkout } from './checkout.ts'
export { createCardWidget } from './create-card-widget.ts'
export type { CardWidgetProps, CheckoutProps } from './component-props.ts'
export type { ReactLike } from './create-card-widget.ts'
