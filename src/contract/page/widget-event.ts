import type { FormErrorCode } from './form-error-code.ts'
import type { FormField } from './fields/card-fields.ts'

/** Names of the events that a widget emits. */
export const EVENT_NAMES = [
  'afterLoad',
  'submit',
  'finish',
  'validationError',
  'systemError',
  'metaChange',
  'resize',
  'validation',
  'focus',
  'blur',
] as const

export type EventName = (typeof EVENT_NAMES)[number]

/** Fields of every event. */
export interface EventBase {
  /** Purpose of the widget; `payment_source` creates a one-time token. */
  purpose: 'payment_source'
  message_source: 'widget.svc'
  /** The merchant's own reference given to `setRefId`, or `''`. */
  ref_id: string
  /** Random UUID of the widget. */
  widget_id: string
}

/** Fired once the form can be typed into. */
export interface AfterLoadEvent extends EventBase {
  event: 'afterLoad'
}

/** Fired when a valid form is submitted, before the card is tokenised. */
export interface SubmitEvent extends EventBase {
  event: 'submit'
}

/** Fired once per submit, with a one-time token for the merchant's server to charge. */
export interface FinishEvent extends EventBase {
  event: 'finish'
  payment_source: string
}

/** Fired when a submit is refused: a field is invalid, or the service refused the card. */
export interface ValidationErrorEvent extends EventBase {
  event: 'validationError'
  error: { code: FormErrorCode; message: string; details: { path: string; message: string }[] }
  invalid_fields: FormField[]
}

/** Fired for faults that the shopper did not cause: refused key, network, time-out, service fault, frame not loaded. */
export interface SystemErrorEvent extends EventBase {
  event: 'systemError'
  error: { code: FormErrorCode; message: string; retryable: boolean }
}

/** Fired when the card's scheme or length changes. It has the last four digits once the number is valid. */
export interface MetaChangeEvent extends EventBase {
  event: 'metaChange'
  card_scheme: string | null
  card_number_length: number
  card_number_last4?: string | undefined
  gateway_type: string
  type: 'card'
}

/** Fired when the form's content changes its size, in CSS pixels. */
export interface ResizeEvent extends EventBase {
  event: 'resize'
  height: number
  width: number
}

/** Fired when the form's validity, or the errors that it shows, change. */
export interface ValidationEvent extends EventBase {
  event: 'validation'
  form_valid: boolean
  invalid_fields: FormField[]
  invalid_showed_fields: FormField[]
  validators: {
    required: FormField[]
    cardNumberValidator: FormField[]
    expireDateValidation: FormField[]
  }
}

/** Fired when a field takes the focus. */
export interface FocusEvent extends EventBase {
  event: 'focus'
  field: FormField
}

/** Fired when a field loses the focus. */
export interface BlurEvent extends EventBase {
  event: 'blur'
  field: FormField
}

export type WidgetEvent =
  | AfterLoadEvent
  | SubmitEvent
  | FinishEvent
  | ValidationErrorEvent
  | SystemErrorEvent
  | MetaChangeEvent
  | ResizeEvent
  | ValidationEvent
  | FocusEvent
  | BlurEvent

/** The event with this name. */
export type EventOf<Name extends EventName> = Extract<WidgetEvent, { event: Name }>
