import type { FieldName } from '../../contract/page/fields/field-name.ts'
import { setText, textOf, wordsOf } from '../form/form-state.ts'
import type { FormState } from '../form/form-state.ts'
import { filled } from '../language/translation.ts'
import type { Translation } from '../language/translation.ts'
import type { WordName } from '../language/word-names.ts'
import { countriesFor, countryNamed } from './countries.ts'
import type { Country } from './countries.ts'
import type { TextEdit, TextWithCaret } from './editing/text-edit.ts'
import { FIELD_TRAITS } from './field-traits.ts'
import type { FieldTraits } from './field-traits.ts'
import { canBeState, isPostcode, POSTAL_RULES, stateExample } from './postal-rules.ts'

const named = ({ translation }: FormState, text: string): Country | undefined =>
  countryNamed(text, translation.value.code)

/**
 * The code of the country whose rules the address follows, whether its field is shown or only preset; '' if there is none. A code counts
 * once the field is left, when it becomes a name: until then "at" may become "Atlantis".
 */
function countryOf(form: FormState): string {
  const text = textOf(form, 'address_country')
  return /^[a-z]{1,3}$/i.test(text) ? '' : (named(form, text)?.code ?? '')
}

const ruleOf = (form: FormState) => POSTAL_RULES[countryOf(form)]

/** The attributes of an input; a postcode's keyboard is its country's. */
export function traitsOf(form: FormState, field: FieldName): FieldTraits {
  const traits = FIELD_TRAITS[field]
  const hasDigits = field === 'address_postcode' && /^[\d -]+$/.test(ruleOf(form)?.example ?? '')
  return hasDigits ? { ...traits, mode: 'numeric' } : traits
}

/** The form's own label of an input: postcodes and states have another name in some countries. */
export function ownLabelOf(form: FormState, field: FieldName): string {
  const isPostcodes = field === 'address_postcode'
  const { postcode = field, state = field } =
    isPostcodes || field === 'address_state' ? (ruleOf(form) ?? {}) : {}
  const name = isPostcodes ? postcode : state
  return name === 'Eircode' ? name : wordsOf(form, name)
}

/** Why a text that is not empty can't be this part of an address; null if it can, or if nobody knows. */
export function addressFault(form: FormState, field: FieldName, text: string): WordName | null {
  if (field === 'address_country') return named(form, text) === undefined ? 'wrong_country' : null
  const country = countryOf(form)
  const isRight = field === 'address_state' ? canBeState(text, country) : isPostcode(text, country)
  return isRight ? null : 'wrong_in_country'
}

/** Fills the country and an example of it into what is said of a postcode or a state. */
export function withExample(form: FormState, field: FieldName, words: string): string {
  const country = countryOf(form)
  const example = field === 'address_state' ? stateExample(country) : POSTAL_RULES[country]?.example
  return filled(filled(words, 'country', textOf(form, 'address_country')), 'example', example ?? '')
}

/** The text of a country field that was left: the name of the country that it names, or of the only one that it finds. */
export function tidyCountry(text: string, form: FormState): string {
  const found = named(form, text) ?? countriesFor(text, form.translation.value.code)
  const [country, ...others] = [found].flat()
  return country === undefined || others.length > 0 ? text : country.name
}

/** The country field after an edit: a code or a name in another language that was put in at once is the name in the form's language. */
export function editCountry(_before: string, edit: TextEdit, form: FormState): TextWithCaret {
  if (/^(insert(Composition)?Text|delete)/.test(edit.inputType)) return edit
  const value = countryShown(form, edit.value)
  return value === edit.value ? edit : { value, caret: value.length }
}

/** How a country that was put in is shown: by its name in the form's language, if it is known. */
export function countryShown(form: FormState, text: string): string {
  return named(form, text)?.name ?? text
}

/** What is sent for a country: the page's own word for it, as long as it is still that country. */
export function sentCountry(form: FormState, text: string): string {
  const preset = form.settings.value.values?.address_country ?? ''
  const country = named(form, preset)
  return country !== undefined && country.code === named(form, text)?.code ? preset.trim() : text
}

/** Names the country in another language, which the form gets now. */
export function translateCountry(form: FormState, { code: language }: Translation): void {
  const text = textOf(form, 'address_country')
  const country = named(form, text)
  const name = country && countryNamed(country.code, language)?.name
  if (name === undefined) return
  // Nobody has typed it.
  if (form.presets.get('address_country') === text) form.presets.set('address_country', name)
  setText(form, 'address_country', name)
}
