import type { FormField } from '../../contract/page/fields/card-fields.ts'
import type { FrameEvent } from '../../contract/page/checkout-event.ts'
import type { EventBase, ValidationEvent } from '../../contract/page/widget-event.ts'

/** The validity of the form and its fields, as the last `validation` event reported it. */
export type ValidationState = Omit<ValidationEvent, keyof EventBase | 'event'>

/** Before the first event the form is not valid, and no field shows an error. */
const UNKNOWN: ValidationState = {
  form_valid: false,
  invalid_fields: [],
  invalid_showed_fields: [],
  validators: { required: [], cardNumberValidator: [], expireDateValidation: [] },
}

/** Keeps the validity that the form reported last. */
export class Validity {
  #state: ValidationState = UNKNOWN

  get state(): ValidationState {
    return this.#state
  }

  /** Whether a field fails one check. A page without types may name a check that does not exist. */
  failsBy(field: FormField, validator: keyof ValidationState['validators']): boolean {
    const validators: Partial<ValidationState['validators']> = this.#state.validators
    return validators[validator]?.includes(field) ?? false
  }

  receive(event: FrameEvent): void {
    if (event.event === 'validation') this.#state = event
  }

  reset(): void {
    this.#state = UNKNOWN
  }
}
