import type { FormField } from '../contract/card-fields.js';
import type { CardIcon } from '../contract/widget-appearance.js';
import type { FieldName, FormElement } from './form-element.js';
import { FrameMethods } from './frame-methods.js';
type FieldTexts = Partial<Record<FormField, string>>;
/** A field whose content a page may preset: the card number and code never pass through a merchant's page. */
export type PresetField = Exclude<FormField, 'card_number' | 'card_ccv'>;
type PresetValues = Partial<Record<PresetField, string>>;
/** What `hideElements` and its kin can hide. */
export type HideableElement = FormField | 'submit_button';
/** What a merchant says about the form of a card: its fields, its schemes and what is kept with it; before it is there or while it is. */
export declare abstract class FieldMethods extends FrameMethods {
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
    /** Schemes whose icons are shown; with `validate` a card of any other scheme is invalid. */
    setSupportedCardIcons(icons: readonly CardIcon[], validate?: boolean): this;
    /** A reference of the merchant's own that every event echoes as `ref_id`. */
    setRefId(id: string | number): this;
    /** What is kept with the payment source beside the card; anything that JSON can hold. */
    setMeta(meta: Record<string, unknown>): this;
}
export {};
