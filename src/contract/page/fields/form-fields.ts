import type { WidgetSettings } from '../widget-settings.ts'
import { fieldNameOf, formFieldsOf } from './field-name.ts'
import type { FieldName } from './field-name.ts'

/** A card can't be tokenised without these, so every form shows and requires them. */
const NEEDED: readonly FieldName[] = ['card_number', 'expiry', 'card_ccv']
const CARD: readonly FieldName[] = ['card_name', ...NEEDED]

/** The inputs of a form in display order, and whether each is required. */
export type FormFields = ReadonlyMap<FieldName, boolean>

/**
 * The inputs for a merchant's list of fields. Without a list the form has the card's own. A list without card fields adds to
 * those. A list with some of them gets the missing ones first, as far as a card needs them.
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

/** The visible inputs. A hidden one still sends the value that the merchant has set. */
export function shownFieldsOf(settings: WidgetSettings): FieldName[] {
  const hidden = settings.hidden ?? []
  const shown = [...fieldsOf(settings).keys()].filter(
    (name) => NEEDED.includes(name) || !formFieldsOf([name]).some((field) => hidden.includes(field)),
  )
  return settings.layout === 'line' ? inOneLine(shown) : shown
}

/** What the layout `line` has in one box: number, expiry and code, one after the other, in the place of the first of them. */
export const LINE_FIELDS = NEEDED

function inOneLine(fields: readonly FieldName[]): FieldName[] {
  const first = fields.find((name) => LINE_FIELDS.includes(name))
  return fields.flatMap((name) => {
    if (name === first) return LINE_FIELDS
    return LINE_FIELDS.includes(name) ? [] : [name]
  })
}
