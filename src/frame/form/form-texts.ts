import type { Scheme } from '../../card/scheme.ts'
import type { FieldName } from '../../contract/page/fields/field-name.ts'
import { formFieldsOf } from '../../contract/page/fields/field-name.ts'
import { ownLabelOf } from '../field/address.ts'
import { wordsOf } from './form-state.ts'
import type { FormState, ReceivedCard } from './form-state.ts'
import { filled } from '../language/translation.ts'

type ButtonText = 'submit_button' | 'submit_button_processing' | 'finish_text'

/** A text of the button: the merchant's, unless it is blank, or the built-in one. */
export function buttonTextOf(form: FormState, name: ButtonText): string {
  const given = form.settings.value.texts?.[name] ?? ''
  const own = name === 'submit_button' ? form.submitText(form) : wordsOf(form, name)
  return filled(given.trim() === '' ? own : given, 'amount', form.amount.value)
}

/** The label of an input: the merchant's or the built-in one. */
export function labelOf(form: FormState, field: FieldName): string {
  const given = settingOf(form, 'labels', field) ?? ''
  return given === '' ? ownLabelOf(form, field) : given
}

/** The placeholder of an input: the merchant's or the built-in one. */
export function placeholderOf(form: FormState, field: FieldName): string {
  const own = { card_number: '1234 1234 1234 1234', expiry: wordsOf(form, 'expiry_form') }
  return (
    settingOf(form, 'placeholders', field) ??
    (field === 'card_number' || field === 'expiry' ? own[field] : '')
  )
}

/** What is said of a form that is finished: that the card was received, and which one. */
export function receivedWordsOf(form: FormState, { label, lastFour }: ReceivedCard): [string, string] {
  const card = filled(filled(wordsOf(form, 'received_card'), 'card', label), 'digits', lastFour)
  return [buttonTextOf(form, 'finish_text'), card]
}

/** Hint where the security code is printed and how many digits it has. */
export function codeHintOf(form: FormState, scheme: Scheme | null): string {
  if (scheme === null) return wordsOf(form, 'code_any')
  return wordsOf(form, scheme.codeLength === 4 ? 'code_front' : 'code_back')
}

function settingOf({ settings }: FormState, kind: 'labels' | 'placeholders', field: FieldName) {
  const [first = 'card_name', second = first] = formFieldsOf([field])
  const given = settings.value[kind]
  return given?.[first] ?? given?.[second]
}
