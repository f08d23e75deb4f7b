import { effect } from '@preact/signals'
import { lastFourOf, numberVerdict } from '../../card/number.ts'
import type { FieldName } from '../../contract/page/fields/field-name.ts'
import { formFieldsOf } from '../../contract/page/fields/field-name.ts'
import type { Form } from './form-view.ts'
import type { FrameEventContent } from '../../contract/page/checkout-event.ts'
import type { Emit } from '../page-channel.ts'

/**
 * Emits the form's validity and on every change the new one, and on every change the card's scheme, length and last digits: all of it
 * after the paint, as it takes longer to judge a form than to show it.
 */
export function emitFormEvents(form: Form, gatewayType: string, emit: Emit): void {
  let validation = ''
  let metaChange = JSON.stringify(metaChangeOf(form, gatewayType))
  let isWaiting = false
  const emitChanges = () => {
    isWaiting = false
    validation = emitIfNew(emit, validationOf(form), validation)
    metaChange = emitIfNew(emit, metaChangeOf(form, gatewayType), metaChange)
  }
  effect(() => {
    readState(form)
    if (isWaiting) return
    isWaiting = true
    form.afterPaint.add(emitChanges)
  })
}

/** Returns the event as JSON, by which the next one is known to be new. */
function emitIfNew(emit: Emit, event: FrameEventContent, last: string): string {
  const text = JSON.stringify(event)
  if (text !== last) emit(event)
  return text
}

/** Reads all that the events depend on without working anything out. */
function readState({ texts, settings, revealed, refused }: Form): unknown[] {
  return [...Object.values(texts), settings, revealed, refused].map(({ value }) => value)
}

function validationOf({ view }: Form): FrameEventContent {
  const faulty = view.faulty.value
  const kindOf = (field: FieldName) => view.faults[field].value?.kind
  const wrong = (only: FieldName) =>
    formFieldsOf(faulty.filter((field) => field === only && kindOf(field) === 'wrong'))
  return {
    event: 'validation',
    form_valid: faulty.length === 0,
    invalid_fields: formFieldsOf(faulty),
    invalid_showed_fields: formFieldsOf(faulty.filter((field) => view.fields[field].value.isFaultShown)),
    validators: {
      required: formFieldsOf(faulty.filter((field) => kindOf(field) === 'empty')),
      cardNumberValidator: wrong('card_number'),
      expireDateValidation: wrong('expiry'),
    },
  }
}

function metaChangeOf({ view }: Form, gatewayType: string): FrameEventContent {
  const digits = view.digits.value
  const lastFour = lastFourOf(digits)
  return {
    event: 'metaChange',
    card_scheme: view.scheme.value?.name ?? null,
    card_number_length: digits.length,
    ...(lastFour !== '' && numberVerdict(digits) === 'valid' ? { card_number_last4: lastFour } : {}),
    gateway_type: gatewayType,
    type: 'card',
  }
}
