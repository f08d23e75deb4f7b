import type { FormField } from '../../contract/page/card-fields.ts'
import type { FrameEvent } from '../../contract/page/checkout-event.ts'
import type { EventBase, ValidationEvent } from '../../contract/page/widget-event.ts'

/** What the form last said of its validity. */
export type ValidationState = Omit<ValidationEvent, keyof EventBase | 'event'>

/** Before the form has said anything, nothing is valid and nothing is shown as wrong. */
const UNKNOWN: ValidationState = {
  form_valid: false,
  invalid_fields: [],
  invalid_showed_fields: [],
  validators: { required: [], cardNumberValidator: [], expireDateValidation: [] },
}

/** The validity of a form, as its last `validation` event has it. */
export class Validity {
  #state: ValidationState = UNKNOWN

  get state(): ValidationState {
    return this.#state
  }

  /** Whether a field fails one certain check; a page without types may name one that there isn't. */
  failsBy(field: FormField, validator: keyof ValidationState['validators']): boolean {
    const validators: Partial<ValidationState['validators']> = this.#state.validators
    return validators[validator]?.includes(field) ?? false
  }

  hear(event: FrameEvent): void {
    if (event.event === 'validation') this.#state = event
  }

  /** A new form has said nothing yet. */
  forget(): void {
    this.#state = UNKNOWN
  }
}
