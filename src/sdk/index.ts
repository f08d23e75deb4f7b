/** The package's entry: the members of `window.svc`, which the ES module exports under the same names. */
export {
  ELEMENT,
  EVENT,
  FORM_FIELD,
  PAYMENT_TYPE,
  PURPOSE,
  STYLE,
  SUPPORTED_CARD_TYPES,
  TEXT,
  TRIGGER,
  VERSION,
} from './constants.ts'
export { authenticate } from './authenticate.ts'
export { Canvas3ds } from './canvas-3ds.ts'
export { Checkout } from './checkout.ts'
export { HtmlWidget } from './html-widget.ts'
export { WidgetError } from './widget-error.ts'

export type { AuthenticationResult } from './authenticate.ts'
export type { Authentication3ds, Canvas3dsEventName, Canvas3dsEventOf } from './canvas-3ds.ts'
export type { PaymentFailure, PaymentSuccessful } from '../contract/page/checkout-event.ts'
export type { FormErrorCode } from '../contract/page/form-error-code.ts'
export type { FormField } from '../contract/page/fields/card-fields.ts'
export type {
  CardIcon,
  ElementProperty,
  StyleKey,
  Styles,
  TextKey,
  Texts,
  Theme,
} from '../contract/page/widget-appearance.ts'
export type {
  AfterLoadEvent,
  BlurEvent,
  EventName,
  EventOf,
  FinishEvent,
  FocusEvent,
  MetaChangeEvent,
  ResizeEvent,
  SubmitEvent,
  SystemErrorEvent,
  ValidationErrorEvent,
  ValidationEvent,
  WidgetEvent,
} from '../contract/page/widget-event.ts'
export type { ElementStyles } from './settings/appearance.ts'
export type { FieldName, FormElement, HideableElement, PresetField } from './settings/form-elements.ts'
export type { ValidationState } from './page/validity.ts'
export type { EnvironmentName } from './iframe-host/environment.ts'
