import type { FormField } from '../contract/card-fields.js';
/** A field of the form; a trailing `*` makes it required. */
export type FieldName = FormField | `${FormField}*`;
/** A field with what it says. The card number and code cannot be preset, so their `value` is ignored. */
export interface FormElement {
    field: FieldName;
    label?: string | undefined;
    placeholder?: string | undefined;
    value?: string | undefined;
}
