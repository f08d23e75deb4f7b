import type { WidgetSettings } from '../contract/widget-settings.ts'

/** CSS pixels of a form with the four fields of a card and its button, of one more field, and of the button. */
const CARD_FORM = 344
const FIELD = 84
const BUTTON = 64

/** Fields that a card form has anyway, and the second half of the expiry. */
const CARD_FIELDS = ['card_name', 'card_number', 'expire_month', 'expire_year', 'card_ccv']

/** Height to keep free until the form says its own, so that the page does not jump when it comes. */
export function reservedHeight({ fields = [], hidden = [] }: WidgetSettings): number {
  const own = fields.filter(({ field }) => !CARD_FIELDS.includes(field) && !hidden.includes(field))
  return CARD_FORM + own.length * FIELD - (hidden.includes('submit_button') ? BUTTON : 0)
}
