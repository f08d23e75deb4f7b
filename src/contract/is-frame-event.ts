import { FORM_FIELDS } from './card-fields.ts'
import type { FormField } from './card-fields.ts'
import { CHECKOUT_EVENT_NAMES } from './checkout-event.ts'
import type { FrameEvent, FrameEventOf } from './checkout-event.ts'
import { EVENT_NAMES } from './widget-event.ts'
import type { EventBase } from './widget-event.ts'

type Check<Value> = (value: unknown) => value is Value

/** A check for each field that an object has; it has no others. */
type Shape<Fields> = { [Key in keyof Required<Fields>]: Check<Fields[Key]> }

const isText = (value: unknown): value is string => typeof value === 'string'
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
const isSize = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < Infinity
const isUuid = (value: unknown): value is string => isText(value) && /^[\da-f-]{36}$/i.test(value)
const isLast4 = (value: unknown): value is string | undefined =>
  value === undefined || (isText(value) && /^\d{4}$/.test(value))
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)
const isField = (value: unknown): value is FormField => FORM_FIELDS.some((known) => known === value)

/* @__NO_SIDE_EFFECTS__ */
function listOf<Item>(isItem: Check<Item>): Check<Item[]> {
  return (value): value is Item[] => Array.isArray(value) && value.every(isItem)
}
/* @__NO_SIDE_EFFECTS__ */
function objectOf<Fields>(shape: Shape<Fields> & Record<string, Check<unknown>>): Check<Fields> {
  return (value): value is Fields => {
    if (typeof value !== 'object') return false
    const fields: Record<string, unknown> = { ...value }
    return (
      Object.keys(fields).every((key) => Object.hasOwn(shape, key)) &&
      Object.entries<Check<unknown>>(shape).every(([key, isRight]) => isRight(fields[key]))
    )
  }
}

const isFieldList = listOf(isField)
const base: Shape<EventBase> = {
  purpose: (value) => value === 'payment_source',
  message_source: (value) => value === 'widget.svc',
  ref_id: isText,
  widget_id: isUuid,
}

type Name = FrameEvent['event']

const NAMES = [...EVENT_NAMES, ...CHECKOUT_EVENT_NAMES]

const EVENTS: { [Key in Name]: Shape<Omit<FrameEventOf<Key>, keyof EventBase | 'event'>> } = {
  afterLoad: {},
  submit: {},
  finish: { payment_source: isUuid },
  validationError: {
    error: objectOf({
      code: isText,
      message: isText,
      details: listOf(objectOf({ path: isText, message: isText })),
    }),
    invalid_fields: isFieldList,
  },
  systemError: {
    error: objectOf({ code: isText, message: isText, retryable: isFlag }),
  },
  metaChange: {
    card_scheme: isTextOrNull,
    card_number_length: isSize,
    card_number_last4: isLast4,
    gateway_type: isText,
    type: (value) => value === 'card',
  },
  resize: { height: isSize, width: isSize },
  validation: {
    form_valid: isFlag,
    invalid_fields: isFieldList,
    invalid_showed_fields: isFieldList,
    validators: objectOf({
      required: isFieldList,
      cardNumberValidator: isFieldList,
      expireDateValidation: isFieldList,
    }),
  },
  focus: { field: isField },
  blur: { field: isField },
  paymentSuccessful: { result: objectOf({ intent_id: isText, charge_id: isText }) },
  paymentFailure: { result: objectOf({ message: isText, code: isText }) },
  paymentExpired: {},
}

/**
 * Whether a message is a whole event of a frame, by the contract's shape of it to the last field (contract §1).
 * By plain checks and not a schema library, which would be a third of the script in a merchant's page.
 */
export function isFrameEvent(message: unknown): message is FrameEvent {
  return NAMES.some((name) => {
    const isNamed = (value: unknown): value is Name => value === name
    return objectOf({ event: isNamed, ...base, ...EVENTS[name] })(message)
  })
}
