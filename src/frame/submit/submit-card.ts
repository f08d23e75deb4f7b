import { batch } from '@preact/signals'
import { FORM_FIELDS } from '../../contract/page/fields/card-fields.ts'
import { sentCountry } from '../field/address.ts'
import { parseExpiry } from '../field/editing/expiry-text.ts'
import { fieldNameOf, formFieldsOf } from '../../contract/page/fields/field-name.ts'
import { announce } from '../form/announce.ts'
import { faultWordsOf, revealFaults } from '../form/form-faults.ts'
import { fieldsOf } from '../../contract/page/fields/form-fields.ts'
import { textOf } from '../form/form-state.ts'
import { buttonTextOf } from '../form/form-texts.ts'
import type { Form } from '../form/form-view.ts'
import type { Card } from '../tokenise/tokenise.ts'
import type { SubmitEffects } from './report-token-outcome.ts'

/**
 * Begins a submit and returns the card to send. Returns null, with the first faulty field in focus, if the form is not
 * valid. Returns null without any effect while another submit is under way, or after one that finished until a person
 * returns to the form.
 */
export function beginSubmit(form: Form, effects: SubmitEffects): Card | null {
  if (form.phase.value !== 'ready') return null
  batch(() => {
    form.refused.value = new Set()
    form.alert.value = null
    revealFaults(form, form.view.shown.value)
  })
  const card = cardFromForm(form)
  if (card === null) {
    refuseSubmit(form, effects)
    return null
  }
  form.phase.value = 'processing'
  announce(form, buttonTextOf(form, 'submit_button_processing'))
  effects.emit({ event: 'submit' })
  return card
}

/**
 * All faults are announced, also those that were shown before, so that a repeated press is answered again; the first one by the
 * focus that moves to its field.
 */
function refuseSubmit(form: Form, { emit, focus }: SubmitEffects): void {
  const faulty = form.view.faulty.value
  const words = faultWordsOf(form, faulty)
  const details = faulty.flatMap((field, index) =>
    formFieldsOf([field]).map((path) => ({ path, message: words[index] ?? '' })),
  )
  emit({
    event: 'validationError',
    error: { code: 'validation_error', message: words.join(' '), details },
    invalid_fields: formFieldsOf(faulty),
  })
  const isFirstSaid = faulty[0] !== undefined && focus(faulty[0])
  announce(form, words.slice(isFirstSaid ? 1 : 0).join(' '))
}

/** The card, with the other fields of the form that are filled. Null if the form is not valid. */
function cardFromForm(form: Form): Card | null {
  const expiry = parseExpiry(textOf(form, 'expiry'))
  if (expiry === null || form.view.faulty.value.length > 0) return null
  const { meta } = form.settings.value
  return {
    ...filledFieldsOf(form),
    card_number: form.view.digits.value,
    expire_month: expiry.month,
    expire_year: expiry.year,
    ...(meta === undefined ? {} : { meta }),
  }
}

function filledFieldsOf(form: Form) {
  const inForm = fieldsOf(form.settings.value)
  return Object.fromEntries(
    FORM_FIELDS.flatMap((field) => {
      const text = inForm.has(fieldNameOf(field)) ? textOf(form, fieldNameOf(field)).trim() : ''
      if (text === '') return []
      return [[field, field === 'address_country' ? sentCountry(form, text) : text]]
    }),
  )
}
