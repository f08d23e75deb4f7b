import { CARD_FIELDS, FORM_FIELDS } from '../../contract/page/card-fields.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { knownNames, listOf } from './known-entries.ts'

type ShownFields = NonNullable<WidgetSettings['fields']>

/** Default fields. */
const CARD_FORM: ShownFields = CARD_FIELDS.map((field) => ({ field, required: true }))

/** The field itself of `email*`. */
function bareName(name: string): string {
  return name.replace(/\*$/, '')
}

/** The known ones of a merchant's list, each once, in the order given. */
export function shownFields(given: unknown): ShownFields {
  const names = listOf(given).map(String)
  const fields = knownNames('form fields', FORM_FIELDS, [...new Set(names.map(bareName))])
  return fields.map((field) => ({ field, required: names.includes(`${field}*`) }))
}

/** The list with one more field at its end, or with that field as it is now meant, in its old place. */
export function withField(name: unknown, before: ShownFields = CARD_FORM): ShownFields {
  const [added] = shownFields([name])
  if (!added) return before
  const isSame = ({ field }: ShownFields[number]) => field === added.field
  return before.some(isSame) ? before.map((item) => (isSame(item) ? added : item)) : [...before, added]
}

/** A merchant's list of elements; what is no object is an empty one. */
export function elementsOf(given: unknown): Record<string, unknown>[] {
  return listOf(given).map((item) => (typeof item === 'object' ? { ...item } : {}))
}

/** One property of each element, by the field that it belongs to; elements without it are left out. */
export function propertyByField(
  elements: readonly Record<string, unknown>[],
  property: 'label' | 'placeholder' | 'value',
): Record<string, unknown> {
  const texts: Record<string, unknown> = {}
  for (const element of elements) {
    const field = FORM_FIELDS.find((known) => known === bareName(String(element['field'])))
    const text = element[property]
    if (field && text !== undefined) texts[field] = text
  }
  return texts
}
