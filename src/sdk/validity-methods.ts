import type { FormField } from '../contract/card-fields.ts'
import type { FrameEvent } from '../contract/checkout-event.ts'
import type { EventBase, ValidationEvent } from '../contract/widget-event.ts'
import { FieldMethods } from './field-methods.ts'

/** What the form last said of its validity. */
export type ValidationState = Omit<ValidationEvent, keyof EventBase | 'event'>

/** Before the form has said anything, nothing is valid and nothing is shown as wrong. */
const UNKNOWN: ValidationState = {
  form_valid: false,
  invalid_fields: [],
  invalid_showed_fields: [],
  validators: { required: [], cardNumberValidator: [], expireDateValidation: [] },
}

/** What a merchant asks about the validity of the form: answered from the last `validation` event. */
export abstract class ValidityMethods extends FieldMethods {
  #validity: ValidationState = UNKNOWN

  /** The whole of it. */
  getValidationState(): ValidationState {
    return this.#validity
  }

  /** Whether the form could be submitted as it is. */
  isValidForm(): boolean {
    return this.#validity.form_valid
  }

  /** Whether a field has no valid content, shown to the shopper or not. */
  isInvalidField(field: FormField): boolean {
    return this.#validity.invalid_fields.includes(field)
  }

  /** Whether the shopper sees an error at a field. */
  isFieldErrorShowed(field: FormField): boolean {
    return this.#validity.invalid_showed_fields.includes(field)
  }

  /** Whether a field fails one certain check. */
  isInvalidFieldByValidator(field: FormField, validator: keyof ValidationState['validators']): boolean {
    const validators: Partial<ValidationState['validators']> = this.#validity.validators
    return validators[validator]?.includes(field) ?? false
  }

  /** @internal A new form has said nothing yet. */
  protected forgetValidity(): void {
    this.#validity = UNKNOWN
  }

  /** @internal */
  protected hearValidity(event: FrameEvent): void {
    if (event.event === 'validation') this.#validity = event
  }
}
