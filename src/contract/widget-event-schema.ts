import * as v from 'valibot'
import { FORM_FIELDS } from './card-fields.ts'
import type { WidgetEvent } from './widget-event.ts'

const base = {
  purpose: v.literal('payment_source'),
  message_source: v.literal('widget.svc'),
  ref_id: v.string(),
  widget_id: v.pipe(v.string(), v.uuid()),
}
const fields = v.array(v.picklist(FORM_FIELDS))
const size = v.pipe(v.number(), v.finite(), v.minValue(0))

/** Every event object a frame may send; anything else is dropped on arrival (contract §1). */
export const WidgetEventSchema: v.GenericSchema<unknown, WidgetEvent> = v.variant('event', [
  v.strictObject({ event: v.literal('afterLoad'), ...base }),
  v.strictObject({ event: v.literal('submit'), ...base }),
  v.strictObject({ event: v.literal('finish'), ...base, payment_source: v.pipe(v.string(), v.uuid()) }),
  v.strictObject({
    event: v.literal('validationError'),
    ...base,
    error: v.strictObject({
      code: v.string(),
      message: v.string(),
      details: v.array(v.strictObject({ path: v.string(), message: v.string() })),
    }),
    invalid_fields: fields,
  }),
  v.strictObject({
    event: v.literal('systemError'),
    ...base,
    error: v.strictObject({ code: v.string(), message: v.string(), retryable: v.boolean() }),
  }),
  v.strictObject({
    event: v.literal('metaChange'),
    ...base,
    card_scheme: v.nullable(v.string()),
    card_number_length: size,
    card_number_last4: v.optional(v.pipe(v.string(), v.regex(/^\d{4}$/))),
    gateway_type: v.string(),
    type: v.literal('card'),
  }),
  v.strictObject({ event: v.literal('resize'), ...base, height: size, width: size }),
  v.strictObject({
    event: v.literal('validation'),
    ...base,
    form_valid: v.boolean(),
    invalid_fields: fields,
    invalid_showed_fields: fields,
    validators: v.strictObject({
      required: fields,
      cardNumberValidator: fields,
      expireDateValidation: fields,
    }),
  }),
  v.strictObject({ event: v.literal('focus'), ...base, field: v.picklist(FORM_FIELDS) }),
  v.strictObject({ event: v.literal('blur'), ...base, field: v.picklist(FORM_FIELDS) }),
])
