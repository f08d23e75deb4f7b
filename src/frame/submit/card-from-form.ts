import { FORM_FIELDS } from '../../contract/page/card-fields.ts'
import { parseExpiry } from '../field/editing/expiry-text.ts'
import { fieldNameOf } from '../field/field-name.ts'
import { fieldsOf } from '../form/form-fields.ts'
import { textIn } from '../form/form-state.ts'
import type { Form } from '../form/form-view.ts'
import type { Card } from '../tokenise/tokenise.ts'

/** What the form sends: the card, and of the other fields those that are in the form and filled. Null if it isn't right. */
export function cardFromForm(form: Form): Card | null {
  const expiry = parseExpiry(textIn(form, 'expiry'))
  if (expiry === null || form.view.faulty.value.length > 0) return null
  const { meta } = form.settings.value
  return {
    ...othersOf(form),
    card_number: form.view.digits.value,
    expire_month: expiry.month,
    expire_year: expiry.year,
    card_ccv: textIn(form, 'card_ccv'),
    ...(meta === undefined ? {} : { meta }),
  }
}

function othersOf(form: Form) {
  const inForm = fieldsOf(form.settings.value)
  return Object.fromEntries(
    FORM_FIELDS.flatMap((field) => {
      const text = inForm.has(fieldNameOf(field)) ? textIn(form, fieldNameOf(field)).trim() : ''
      return text === '' ? [] : [[field, text]]
    }),
  )
}
