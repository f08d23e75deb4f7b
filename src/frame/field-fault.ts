import { codeVerdict } from '../card/code.ts'
import { expiryVerdict } from '../card/expiry.ts'
import { holderNameVerdict, LONGEST_NAME } from '../card/holder-name.ts'
import { numberVerdict } from '../card/number.ts'
import { schemeLabelOf } from '../card/scheme.ts'
import { parseExpiry } from './expiry-text.ts'
import type { FieldName } from './field-name.ts'
import { fieldsOf } from './form-fields.ts'
import { cardSchemeOf, numberDigitsOf, textIn } from './form-state.ts'
import type { FormState } from './form-state.ts'
import { codeHintOf, labelOf, wordsOf } from './form-texts.ts'
import { filled } from './words.ts'
import type { WordName } from './word-names.ts'

/** What is wrong with a field: nothing is in it, or what is in it is wrong; and the words that say what to do. */
interface FieldFault {
  kind: 'empty' | 'wrong'
  words: string
}

/** The fault of a field as it stands now, or null. The service's refusal counts until the field is edited. */
export function faultOf(form: FormState, field: FieldName): FieldFault | null {
  const text = textIn(form, field)
  if (text.trim() === '') {
    const required = fieldsOf(form.settings.value).get(field) === true
    return required ? { kind: 'empty', words: say(form, field, EMPTY[field] ?? 'empty') } : null
  }
  const name = CHECKS[field]?.(text, form) ?? (form.refused.value.has(field) ? 'refused_field' : null)
  return name === null ? null : { kind: 'wrong', words: say(form, field, name) }
}

const EMPTY: Partial<Record<FieldName, WordName>> = {
  card_name: 'no_card_name',
  card_number: 'no_card_number',
  expiry: 'no_expiry',
  card_ccv: 'no_card_ccv',
}

function say(form: FormState, field: FieldName, name: WordName): string {
  const withHint = filled(wordsOf(form, name), 'hint', codeHintOf(form))
  return filled(filled(withHint, 'label', labelOf(form, field)), 'schemes', acceptedSchemes(form))
}

function acceptedSchemes({ settings, speech }: FormState): string {
  const labels = (settings.value.card_icons ?? []).map(schemeLabelOf)
  return new Intl.ListFormat(speech.value.code, { type: 'disjunction' }).format(labels)
}

type Check = (text: string, form: FormState) => WordName | null

const onName: Check = (text) => {
  if (holderNameVerdict(text) === 'valid') return null
  return text.trim().length > LONGEST_NAME ? 'long_name' : 'wrong_name'
}

/** What can be wrong with a field beyond being empty. */
const CHECKS: Partial<Record<FieldName, Check>> = {
  card_number: (_text, form) => wrongInNumber(form),
  expiry: (text, form) => wrongInExpiry(text, form.now()),
  card_ccv: (text, form) => (codeVerdict(text, cardSchemeOf(form)) === 'valid' ? null : 'wrong_code'),
  card_name: onName,
  first_name: onName,
  last_name: onName,
  email: (text) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim()) ? null : 'wrong_email'),
}

function wrongInNumber(form: FormState): WordName | null {
  const { card_icons = [], only_supported } = form.settings.value
  const scheme = cardSchemeOf(form)
  if (only_supported === true && scheme !== null && !card_icons.some((icon) => icon === scheme.name)) {
    return 'wrong_scheme'
  }
  const digits = numberDigitsOf(form)
  const verdict = numberVerdict(digits)
  if (verdict === 'valid') return null
  const tooShort = verdict === 'incomplete' && scheme?.lengths.includes(digits.length) !== true
  return tooShort ? 'short_number' : 'wrong_number'
}

function wrongInExpiry(text: string, now: number): WordName | null {
  const expiry = parseExpiry(text)
  if (expiry === null) return 'wrong_expiry'
  if (expiryVerdict(expiry, now) === 'valid') return null
  if (expiry.month < 1 || expiry.month > 12) return 'wrong_month'
  return expiry.year > new Date(now).getUTCFullYear() ? 'far_year' : 'past_expiry'
}
