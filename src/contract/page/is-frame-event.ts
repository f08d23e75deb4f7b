import { FORM_FIELDS } from './fields/card-fields.ts'
import type { AuthenticationEnd } from './authentication-event.ts'
import type { FrameEvent, FrameEventOf } from './checkout-event.ts'
import type { EventBase } from './widget-event.ts'
import type { Hello } from './widget-channel.ts'

/**
 * The shape that a value must have. A text stands for itself, `''` for any text, and `false` for any boolean. A list of one
 * shape stands for a list of such values, and a list of several for one of them. An object has exactly these fields.
 */
type Shape = string | false | Check | Shape[] | { [key: string]: Shape }
type Check = (value: unknown) => boolean

/** A shape for each field of an event, including optional ones. */
type ShapeOf<Fields> = { [Key in keyof Required<Fields>]: Shape }

const isText = (value: unknown): value is string => typeof value === 'string'
const isSize: Check = (value) => typeof value === 'number' && value >= 0 && value < Infinity
const isUuid: Check = (value) => isText(value) && /^[\da-f-]{36}$/i.test(value)
const isLast4: Check = (value) => value === undefined || (isText(value) && /^\d{4}$/.test(value))
const isTextOrNull: Check = (value) => value === null || isText(value)

const field: Shape = [...FORM_FIELDS]
const fields = [field]
const base: ShapeOf<EventBase> = {
  purpose: 'payment_source',
  message_source: 'widget.svc',
  ref_id: '',
  widget_id: isUuid,
}

const END: ShapeOf<AuthenticationEnd> = { authentication_id: '', status: '' }

const EVENTS: {
  [Name in FrameEvent['event']]: ShapeOf<Omit<FrameEventOf<Name>, keyof EventBase | 'event'>>
} = {
  afterLoad: {},
  submit: {},
  finish: { payment_source: isUuid },
  validationError: {
    error: { code: '', message: '', details: [{ path: '', message: '' }] },
    invalid_fields: fields,
  },
  systemError: { error: { code: '', message: '', retryable: false } },
  metaChange: {
    card_scheme: isTextOrNull,
    card_number_length: isSize,
    card_number_last4: isLast4,
    gateway_type: '',
    type: 'card',
  },
  resize: { height: isSize, width: isSize },
  validation: {
    form_valid: false,
    invalid_fields: fields,
    invalid_showed_fields: fields,
    validators: { required: fields, cardNumberValidator: fields, expireDateValidation: fields },
  },
  focus: { field },
  blur: { field },
  paymentSuccessful: { result: { intent_id: '', charge_id: '' } },
  paymentFailure: { result: { message: '', code: '' } },
  paymentExpired: {},
  backToShop: { return_url: '' },
  authenticationRequired: { authentication: { id: '', token: '' } },
  chargeAuthSuccess: END,
  chargeAuthReject: END,
  chargeAuthCancelled: END,
  chargeAuthInfo: { authentication_id: '', info: '' },
}

/**
 * Whether a message is an event of a frame, with exactly the fields of its interface. Checked without a schema library,
 * which would be a third of the script in a merchant's page.
 */
export function isFrameEvent(message: unknown): message is FrameEvent {
  return Object.entries(EVENTS).some(([event, own]) => isLike({ event, ...base, ...own }, message))
}

/** Whether a message to the page's window is the hello of a frame. */
export function isHello(message: unknown): message is Hello {
  return isLike({ hello: 'widget.svc', document: isText, address: isText, is_taken: false }, message)
}

function isLike(shape: Shape, value: unknown): boolean {
  if (typeof shape === 'function') return shape(value)
  if (typeof shape !== 'object') return shape ? value === shape : typeof value === typeof shape
  if (!Array.isArray(shape)) return typeof value === 'object' && hasFields(shape, { ...value })
  const [item = '', ...others] = shape
  if (others.length > 0) return shape.some((one) => isLike(one, value))
  return Array.isArray(value) && value.every((one) => isLike(item, one))
}

function hasFields(shapes: Record<string, Shape>, fields: Record<string, unknown>): boolean {
  return (
    Object.keys(fields).every((key) => Object.hasOwn(shapes, key)) &&
    Object.entries(shapes).every(([key, shape]) => isLike(shape, fields[key]))
  )
}
