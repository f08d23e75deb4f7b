import type { FormField } from '../contract/card-fields.js';
import { AppearanceMethods } from './appearance-methods.js';
import type { FieldName, FormElement } from './form-element.js';
type FieldTexts = Partial<Record<FormField, string>>;
/** A field whose content a page may preset: the card number and code never pass through a merchant's page. */
export type PresetField = Exclude<FormField, 'card_number' | 'card_ccv'>;
type PresetValues = Partial<Record<PresetField, string>>;
/** What `hideElements` and its kin can hide. */
export type HideableElement = FormField | 'submit_button';
/** What a merchant says about the fields of the form, before it is there or while it is. */
export declare abstract class FieldMethods extends AppearanceMethods {
    #private;
    /** Fields that are shown, in this order; a trailing `*` makes one required. The card's own are always required. */
    setFormFields(fields: readonly FieldName[]): this;
    /** Like `setFormFields`, with labels, placeholders and values at once. */
    setFormElements(elements: readonly FormElement[]): this;
    /** Adds one field to those shown, or says more about one of them. */
    setFormElement(element: FormElement): this;
    /** Changes some labels; any text will do. */
    setFormLabels(labels: FieldTexts): this;
    /** Changes the label of one field. */
    setFormLabel(field: FormField, label: string): this;
    /** Changes some placeholders. */
    setFormPlaceholders(placeholders: FieldTexts): this;
    /** Changes the placeholder of one field. */
    setFormPlaceholder(field: FormField, placeholder: string): this;
    /** Fills some fields; never the card number or code. */
    setFormValues(values: PresetValues): this;
    /** Fills one field. */
    setFormValue(field: PresetField, value: string): this;
    /** The same as `setFormValues`, by the name it has for a form that is there. */
    updateFormValues(values: PresetValues): this;
    /** The same as `setFormValue`. */
    updateFormValue(field: PresetField, value: string): this;
    /** Hides these and shows all others. */
    setHiddenElements(elements: readonly HideableElement[]): this;
    /** Hides these too. */
    hideElements(elements: readonly HideableElement[]): this;
    /** Shows these again. */
    showElements(elements: readonly HideableElement[]): this;
}
export {};
