import type { FormField } from './card-fields.ts'

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

/** What every event carries. */
export interface EventBase {
  /** What the widget is for; `payment_source` makes a one-time token. */
  purpose: 'payment_source'
  message_source: 'widget.svc'
  /** The merchant's own reference given to `setRefId`, or `''`. */
  ref_id: string
  /** Random UUID of the widget instance that speaks. */
  widget_id: string
}

/** Fired once the form can be typed into. */
export interface AfterLoadEvent extends EventBase {
  event: 'afterLoad'
}

/** Fired when submit is pressed and the form is valid; the card is on its way to be tokenised. */
export interface SubmitEvent extends EventBase {
  event: 'submit'
}

/** Fired once per submit, with the one-time token that the merchant's server charges. */
export interface FinishEvent extends EventBase {
  event: 'finish'
  payment_source: string
}

/** Fired when a submit is refused: a field is invalid, or the service refused the card. */
export interface ValidationErrorEvent extends EventBase {
  event: 'validationError'
  error: { code: string; message: string; details: { path: string; message: string }[] }
  invalid_fields: FormField[]
}

/** Fired when it is nobody's typing: key refused, network gone, time-out, service fault, frame not loaded. */
export interface SystemErrorEvent extends EventBase {
  event: 'systemError'
  error: { code: string; message: string; retryable: boolean }
}

/** Fired when facts about the card change while it is typed; the last four digits only once the number is valid. */
export interface MetaChangeEvent extends EventBase {
  event: 'metaChange'
  card_scheme: string | null
  card_number_length: number
  card_number_last4?: string | undefined
  gateway_type: string
  type: 'card'
}

/** Fired when the form's content changes its size; CSS pixels. */
export interface ResizeEvent extends EventBase {
  event: 'resize'
  height: number
  width: number
}

/** Fired when the validity of the form, or of what it shows as an error, changes. */
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

/** The event object that belongs to an event's name. */
export type EventOf<Name extends EventName> = Extract<WidgetEvent, { event: Name }>
