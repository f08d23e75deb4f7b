import type { FormField } from '../contract/card-fields.js';
import type { EventBase, ValidationEvent } from '../contract/widget-event.js';
import { FieldMethods } from './field-methods.js';
/** What the form last said of its validity. */
export type ValidationState = Omit<ValidationEvent, keyof EventBase | 'event'>;
/** What a merchant asks about the validity of the form: answered from the last `validation` event. */
export declare abstract class ValidityMethods extends FieldMethods {
    #private;
    /** The whole of it. */
    getValidationState(): ValidationState;
    /** Whether the form could be submitted as it is. */
    isValidForm(): boolean;
    /** Whether a field has no valid content, shown to the shopper or not. */
    isInvalidField(field: FormField): boolean;
    /** Whether the shopper sees an error at a field. */
    isFieldErrorShowed(field: FormField): boolean;
    /** Whether a field fails one certain check. */
    isInvalidFieldByValidator(field: FormField, validator: keyof ValidationState['validators']): boolean;
}
