import { CARD_FIELDS, FORM_FIELDS } from '../../contract/page/fields/card-fields.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { knownNames, listOf, nameOf } from './merchant-input.ts'
import type { FormField } from '../../contract/page/fields/card-fields.ts'

/** A field of the form; a trailing `*` makes it required. */
export type FieldName = FormField | `${FormField}*`

/** A field with its texts. The card number and code cannot be preset, so their `value` is ignored. */
export interface FormElement {
  field: FieldName
  label?: string | undefined
  placeholder?: string | undefined
  value?: string | undefined
}

/** Texts by field. */
export type FieldTexts = Partial<Record<FormField, string>>

/** A field that a page may preset. The card number and code never pass through a merchant's page. */
export type PresetField = Exclude<FormField, 'card_number' | 'card_ccv'>

/** What `hideElements`, `showElements` and `setHiddenElements` accept. */
export type HideableElement = FormField | 'submit_button'

type ShownFields = NonNullable<WidgetSettings['fields']>

/** Default fields. */
const CARD_FORM: ShownFields = CARD_FIELDS.map((field) => ({ field, required: true }))

/** `email*` → `email`. */
function withoutStar(name: string): string {
  return name.replace(/\*$/, '')
}

/** The known fields of a merchant's list, each once, in the given order. */
export function shownFields(given: unknown): ShownFields {
  const names = listOf(given).map(nameOf)
  const fields = knownNames('form fields', FORM_FIELDS, [...new Set(names.map(withoutStar))])
  return fields.map((field) => ({ field, required: names.includes(`${field}*`) }))
}

/** Appends a field, or replaces it at its position if the list has it already. */
export function withField(name: unknown, before: ShownFields = CARD_FORM): ShownFields {
  const [added] = shownFields([name])
  if (!added) return before
  const isSame = ({ field }: ShownFields[number]) => field === added.field
  return before.some(isSame) ? before.map((item) => (isSame(item) ? added : item)) : [...before, added]
}

/** A merchant's list of elements; a value that is no object becomes an empty one. */
export function elementsOf(given: unknown): Record<string, unknown>[] {
  return listOf(given).map((item) => (typeof item === 'object' ? { ...item } : {}))
}

/** One property of each element, by field. Elements without it are left out. */
export function propertyByField(
  elements: readonly Record<string, unknown>[],
  property: 'label' | 'placeholder' | 'value',
): Record<string, unknown> {
  const texts: Record<string, unknown> = {}
  for (const element of elements) {
    const field = FORM_FIELDS.find((known) => known === withoutStar(String(element['field'])))
    const text = element[property]
    if (field && text !== undefined) texts[field] = text
  }
  return texts
}
