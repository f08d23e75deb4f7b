import { CARD_FIELDS } from '../../contract/page/card-fields.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'

/** CSS pixels of a form with the four fields of a card and its button, of one more field, and of the button. */
const CARD_FORM = 344
const FIELD = 90
const BUTTON = 66

/** Height to keep free until the form says its own, so that the page does not jump when it comes. */
export function reservedHeight({ fields = [], hidden = [] }: WidgetSettings): number {
  const own = fields.filter(({ field }) => !CARD_FIELDS.includes(field) && !hidden.includes(field))
  return CARD_FORM + own.length * FIELD - (hidden.includes('submit_button') ? BUTTON : 0)
}
