/** The package's entry: what `window.svc` holds, and what the ES module exports under the same names. */
export { ELEMENT, EVENT, FORM_FIELD, PAYMENT_TYPE, PURPOSE, STYLE, SUPPORTED_CARD_TYPES, TEXT, TRIGGER, VERSION, } from './constants.js';
export { Checkout } from './checkout.js';
export { HtmlWidget } from './html-widget.js';
export { WidgetError } from './widget-error.js';
export type { PaymentFailure, PaymentSuccessful } from '../contract/checkout-event.js';
export type { FormField } from '../contract/card-fields.js';
export type { CardIcon, ElementProperty, StyleKey, Styles, TextKey, Texts, Theme, } from '../contract/widget-appearance.js';
export type { AfterLoadEvent, BlurEvent, EventName, EventOf, FinishEvent, FocusEvent, MetaChangeEvent, ResizeEvent, SubmitEvent, SystemErrorEvent, ValidationErrorEvent, ValidationEvent, WidgetEvent, } from '../contract/widget-event.js';
export type { ElementStyles } from './styled-element.js';
export type { FieldName, FormElement } from './form-element.js';
export type { HideableElement, PresetField } from './field-methods.js';
export type { ValidationState } from './validity-methods.js';
export type { EnvironmentName } from './environment.js';
