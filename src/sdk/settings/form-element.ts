import type { FormField } from '../../contract/page/card-fields.ts'

/** A field of the form; a trailing `*` makes it required. */
export type FieldName = FormField | `${FormField}*`

/** A field with what it says. The card number and code cannot be preset, so their `value` is ignored. */
export interface FormElement {
  field: FieldName
  label?: string | undefined
  placeholder?: string | undefined
  value?: string | undefined
}

/** Texts by the field they belong to. */
export type FieldTexts = Partial<Record<FormField, string>>

/** A field whose content a page may preset: the card number and code never pass through a merchant's page. */
export type PresetField = Exclude<FormField, 'card_number' | 'card_ccv'>

/** What `hideElements` and its kin can hide. */
export type HideableElement = FormField | 'submit_button'
