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

/** The label that the card's box has in the layout `line`: the merchant's for the number, or the built-in one. */
export function boxLabelOf(form: FormState): string {
  const given = settingOf(form, 'labels', 'card_number') ?? ''
  return given === '' ? wordsOf(form, 'card') : given
}

/** The placeholder of an input: the merchant's or the built-in one. */
export function placeholderOf(form: FormState, field: FieldName, scheme: Scheme | null): string {
  const given = settingOf(form, 'placeholders', field)
  if (given !== undefined) return given
  if (field === 'card_number') return '1234 1234 1234 1234'
  if (field === 'expiry') return wordsOf(form, 'expiry_form')
  if (field !== 'card_ccv' || form.settings.value.layout !== 'line') return ''
  return scheme?.codeLength === 4 ? '1234' : '123'
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

/** The digits that are the security code, as a part of a sentence. */
export function codeDigitsOf(form: FormState, scheme: Scheme | null): string {
  if (scheme === null) return wordsOf(form, 'digits_any')
  return wordsOf(form, scheme.codeLength === 4 ? 'digits_front' : 'digits_back')
}

function settingOf({ settings }: FormState, kind: 'labels' | 'placeholders', field: FieldName) {
  const [first = 'card_name', second = first] = formFieldsOf([field])
  const given = settings.value[kind]
  return given?.[first] ?? given?.[second]
}
