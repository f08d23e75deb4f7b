import type { FormField } from '../../contract/page/fields/card-fields.ts'
import type { EventBase, ValidationEvent } from '../../contract/page/widget-event.ts'

/** The validity of the form and its fields, as the last `validation` event reported it. */
export type ValidationState = Omit<ValidationEvent, keyof EventBase | 'event'>

/** Before the first event the form is not valid, and no field shows an error. */
export const NOT_YET_VALID: ValidationState = {
  form_valid: false,
  invalid_fields: [],
  invalid_showed_fields: [],
  validators: { required: [], cardNumberValidator: [], expireDateValidation: [] },
}

/** Whether a field fails one check. A page without types may name a check that does not exist. */
export function failsBy(
  { validators }: { validators: Partial<ValidationState['validators']> },
  field: FormField,
  validator: keyof ValidationState['validators'],
): boolean {
  return validators[validator]?.includes(field) ?? false
}
