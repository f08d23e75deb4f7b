import type { FieldName } from './field-name.ts'
import { formFieldsOf } from './field-name.ts'
import { cardSchemeOf } from './form-state.ts'
import type { FormState } from './form-state.ts'
import { filled } from './words.ts'
import type { CheckoutWordName } from './checkout/checkout-word-names.ts'
import type { WordName } from './word-names.ts'

/** What the form says by a name, in its language. */
export function wordsOf({ speech }: FormState, name: WordName | CheckoutWordName): string {
  return speech.value.words[name] ?? ''
}

/** What stands on the button in a phase of a submit: the merchant's text, if it is one, or the language's. */
export function buttonTextOf(
  form: FormState,
  name: 'submit_button' | 'submit_button_processing' | 'finish_text',
): string {
  const given = form.settings.value.texts?.[name] ?? ''
  const amount = form.amount.value
  const own = name === 'submit_button' && amount !== '' ? 'pay_amount' : name
  return filled(given.trim() === '' ? wordsOf(form, own) : given, 'amount', amount)
}

/** The name of an input for people: the merchant's, or the language's. */
export function labelOf(form: FormState, field: FieldName): string {
  const given = settingOf(form, 'labels', field) ?? ''
  return given === '' ? wordsOf(form, field) : given
}

/** What is shown in an input while it is empty. */
export function placeholderOf(form: FormState, field: FieldName): string {
  return settingOf(form, 'placeholders', field) ?? (field === 'expiry' ? wordsOf(form, 'expiry_form') : '')
}

/** Where the code is printed and how many digits it has. */
export function codeHintOf(form: FormState): string {
  const scheme = cardSchemeOf(form)
  if (scheme === null) return wordsOf(form, 'code_any')
  return wordsOf(form, scheme.codeLength === 4 ? 'code_front' : 'code_back')
}

/** Why the last submit failed and what to do. */
export function alertTextOf(form: FormState): string {
  const name = form.alert.value
  return name === null ? '' : filled(wordsOf(form, name), 'button', buttonTextOf(form, 'submit_button'))
}

function settingOf({ settings }: FormState, kind: 'labels' | 'placeholders', field: FieldName) {
  const [first = 'card_name', second = first] = formFieldsOf([field])
  const given = settings.value[kind]
  return given?.[first] ?? given?.[second]
}
