import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { fieldNameOf, formFieldsOf } from '../field/field-name.ts'
import type { FieldName } from '../field/field-name.ts'

/** No card can be tokenised without these, so they are in every form, seen and required. */
const NEEDED: readonly FieldName[] = ['card_number', 'expiry', 'card_ccv']
const CARD: readonly FieldName[] = ['card_name', ...NEEDED]

/** The inputs of a form, in the order they are shown, and whether each must be filled. */
export type FormFields = ReadonlyMap<FieldName, boolean>

/**
 * The inputs that a merchant's list asks for; by itself the form has the four of a card. A list without any of these adds
 * to them, and one that leaves out a part of the card that is needed gets it before the others.
 */
export function fieldsOf({ fields: asked = [] }: WidgetSettings): FormFields {
  const names = asked.map(({ field }) => fieldNameOf(field))
  const own = names.some((name) => CARD.includes(name))
    ? NEEDED.filter((name) => !names.includes(name))
    : CARD
  const fields = new Map(own.map((name) => [name, true]))
  for (const { field, required } of asked) {
    const name = fieldNameOf(field)
    fields.set(name, required || NEEDED.includes(name) || fields.get(name) === true)
  }
  return fields
}

/** The inputs that a person sees. A hidden one still sends what the merchant has put into it. */
export function shownFieldsOf(settings: WidgetSettings): FieldName[] {
  const hidden = settings.hidden ?? []
  return [...fieldsOf(settings).keys()].filter(
    (name) => NEEDED.includes(name) || !formFieldsOf([name]).some((field) => hidden.includes(field)),
  )
}
