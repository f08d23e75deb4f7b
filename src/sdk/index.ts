/** The package's entry: what `window.svc` holds, and what the ES module exports under the same names. */
export { EVENT, FORM_FIELD, PAYMENT_TYPE, PURPOSE, STYLE, TEXT, VERSION } from './constants.ts'
export { HtmlWidget } from './html-widget.ts'
export { WidgetError } from './widget-error.ts'

export type { FormField } from '../contract/card-fields.ts'
export type { StyleKey, Styles, TextKey, Texts } from '../contract/widget-appearance.ts'
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
} from '../contract/widget-event.ts'
export type { EnvironmentName } from './environment.ts'
