import { effect } from '@preact/signals'
import { lastFourOf, numberVerdict } from '../../card/number.ts'
import type { FieldName } from '../field/field-name.ts'
import { formFieldsOf } from '../field/field-name.ts'
import type { Form } from './form-view.ts'
import type { Emission, Emit } from '../page-channel.ts'

/** Tells the page the form's validity now and whenever it changes, and the facts of the card when they change. */
export function tellChanges(form: Form, gatewayType: string, emit: Emit): void {
  onChange(() => validationOf(form), emit)
  let first = true
  onChange(
    () => cardFactsOf(form, gatewayType),
    (facts) => {
      if (!first) emit(facts)
      first = false
    },
  )
}

function onChange(read: () => Emission, tell: Emit): void {
  let told = ''
  effect(() => {
    const emission = read()
    const text = JSON.stringify(emission)
    if (text !== told) tell(emission)
    told = text
  })
}

function validationOf({ view }: Form): Emission {
  const faulty = view.faulty.value
  const kindOf = (field: FieldName) => view.fields[field].value.fault?.kind
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

function cardFactsOf({ view }: Form, gatewayType: string): Emission {
  const digits = view.digits.value
  return {
    event: 'metaChange',
    card_scheme: view.scheme.value?.name ?? null,
    card_number_length: digits.length,
    ...(numberVerdict(digits) === 'valid' ? { card_number_last4: lastFourOf(digits) } : {}),
    gateway_type: gatewayType,
    type: 'card',
  }
}
