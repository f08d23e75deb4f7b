import { effect } from '@preact/signals'
import { lastFourOf, numberVerdict } from '../card/number.ts'
import { faultOf } from './field-fault.ts'
import type { FieldName } from './field-name.ts'
import { formFieldsOf } from './field-name.ts'
import { faultyFieldsOf, shownWordsOf } from './form-faults.ts'
import { cardSchemeOf, numberDigitsOf } from './form-state.ts'
import type { FormState } from './form-state.ts'
import type { Emission, Emit } from './page-channel.ts'

/** Tells the page the form's validity now and whenever it changes, and the facts of the card when they change. */
export function tellChanges(form: FormState, gatewayType: string, emit: Emit): void {
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

function validationOf(form: FormState): Emission {
  const faulty = faultyFieldsOf(form)
  const wrong = (only: FieldName) =>
    formFieldsOf(faulty.filter((field) => field === only && faultOf(form, field)?.kind === 'wrong'))
  return {
    event: 'validation',
    form_valid: faulty.length === 0,
    invalid_fields: formFieldsOf(faulty),
    invalid_showed_fields: formFieldsOf(faulty.filter((field) => shownWordsOf(form, field) !== '')),
    validators: {
      required: formFieldsOf(faulty.filter((field) => faultOf(form, field)?.kind === 'empty')),
      cardNumberValidator: wrong('card_number'),
      expireDateValidation: wrong('expiry'),
    },
  }
}

function cardFactsOf(form: FormState, gatewayType: string): Emission {
  const digits = numberDigitsOf(form)
  return {
    event: 'metaChange',
    card_scheme: cardSchemeOf(form)?.name ?? null,
    card_number_length: digits.length,
    ...(numberVerdict(digits) === 'valid' ? { card_number_last4: lastFourOf(digits) } : {}),
    gateway_type: gatewayType,
    type: 'card',
  }
}
