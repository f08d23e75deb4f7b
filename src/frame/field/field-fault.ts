import { codeVerdict } from '../../card/code.ts'
import { expiryVerdict } from '../../card/expiry.ts'
import { holderNameVerdict, LONGEST_NAME } from '../../card/holder-name.ts'
import { isEmailAddress } from '../../contract/api/fields/email-address.ts'
import { SHORTEST_NUMBER_IN_TEXT } from '../../card/number-in-text.ts'
import { isOfOtherNetwork, numberVerdict, SHORTEST_NUMBER } from '../../card/number.ts'
import { isIssuedElsewhere, LONGEST_NUMBER, possiblyTakenAs, schemeLabelOf } from '../../card/scheme.ts'
import { LONGER_THAN_PHONE_NUMBERS, withoutPhoneNumbers } from '../../card/phone-number.ts'
import type { Scheme } from '../../card/scheme.ts'
import { readCardText } from './editing/card-text.ts'
import { asciiDigits, digitsOf } from '../../card/digits.ts'
import { parseExpiry } from './editing/expiry-text.ts'
import type { FieldName } from '../../contract/page/fields/field-name.ts'
import { wordsOf } from '../form/form-state.ts'
import type { FormState } from '../form/form-state.ts'
import { addressFault, withExample } from './address.ts'
import { FIELD_TRAITS } from './field-traits.ts'
import { codeDigitsOf, labelOf } from '../form/form-texts.ts'
import { filled } from '../language/translation.ts'
import type { WordName } from '../language/word-names.ts'

/** Why a field is not valid, with a message that says what to do. */
export interface FieldFault {
  kind: 'empty' | 'wrong'
  words: string
  /** Whether more keys at its end can't make it right. */
  isCertain: boolean
}

/** A field to check. The form's settings, language and clock matter too. */
export interface CheckedField {
  name: FieldName
  text: string
  required: boolean
  /** Whether the service refused it after the last edit. */
  refused: boolean
  /** Scheme of the card number typed so far. */
  scheme: Scheme | null
}

/** The current fault of a field, or null. */
export function faultOf(form: FormState, field: CheckedField): FieldFault | null {
  const { name, text, required, refused } = field
  if (text.trim() === '')
    return required
      ? { kind: 'empty', words: messageOf(form, field, EMPTY[name] ?? 'empty'), isCertain: false }
      : null
  const word = (CHECKS[name] ?? checkDetail)(field, form) ?? (refused ? refusalOf(name) : null)
  return word === null
    ? null
    : { kind: 'wrong', words: messageOf(form, field, word), isCertain: isCertain(word, field, form) }
}

const EMPTY: Partial<Record<FieldName, WordName>> = {
  card_name: 'no_card_name',
  card_number: 'no_card_number',
  expiry: 'no_expiry',
  card_ccv: 'no_card_ccv',
}

function messageOf(form: FormState, { name, scheme }: CheckedField, word: WordName): string {
  const withHint = filled(wordsOf(form, word), 'hint', codeDigitsOf(form, scheme))
  const withLongest = filled(withHint, 'longest', String(FIELD_TRAITS[name].longest))
  const words = filled(withLongest, 'label', labelOf(form, name))
  // The only text that lists schemes. To make a list format takes a browser milliseconds, so no other text waits for one.
  if (word === 'wrong_in_country') return withExample(form, name, words)
  return word === 'wrong_scheme' ? filled(words, 'schemes', acceptedSchemes(form)) : words
}

function acceptedSchemes({ settings, translation }: FormState): string {
  const labels = (settings.value.card_icons ?? []).map(schemeLabelOf)
  return new Intl.ListFormat(translation.value.code, { type: 'disjunction' }).format(labels)
}

type Check = (field: CheckedField, form: FormState) => WordName | null

const checkName: Check = ({ text }) => {
  if (holderNameVerdict(text) === 'valid') return null
  return text.trim().length > LONGEST_NAME ? 'long_text' : 'wrong_name'
}

/**
 * A card number in the wrong field would be kept where none may be. As in the service, a phone number does not count as one. In the phone
 * field it may lack its `+`: then the service decides, by how its digits are grouped.
 */
const checkDetail: Check = ({ name, text }, { now }) => {
  const digits = readCardText(withoutPhoneNumbers(asciiDigits(text)), now())?.number.length ?? 0
  const shortest = name === 'phone' ? LONGER_THAN_PHONE_NUMBERS : SHORTEST_NUMBER_IN_TEXT
  if (digits >= shortest) return 'card_number_here'
  return text.trim().length > (FIELD_TRAITS[name].longest ?? Infinity) ? 'long_text' : null
}

/** A person can check a value that is printed on the card, but not an address. */
const refusalOf = (name: FieldName): WordName =>
  Object.hasOwn(EMPTY, name) ? 'refused_field' : 'refused_detail'

/** Checks of fields that are not empty. */
const CHECKS: Partial<Record<FieldName, Check>> = {
  card_number: checkNumber,
  expiry: ({ text }, form) => checkExpiry(text, form.now()),
  card_ccv: ({ text, scheme }) => (codeVerdict(text, scheme) === 'valid' ? null : 'wrong_code'),
  card_name: checkName,
  first_name: checkName,
  last_name: checkName,
  email: (field, form) =>
    checkDetail(field, form) ?? (isEmailAddress(field.text.trim()) ? null : 'wrong_email'),
  address_country: checkAddress,
  address_state: checkAddress,
  address_postcode: checkAddress,
}

function checkAddress(field: CheckedField, form: FormState): WordName | null {
  return checkDetail(field, form) ?? addressFault(form, field.name, field.text)
}

function checkNumber({ text, scheme }: CheckedField, { settings }: FormState): WordName | null {
  const { card_icons = [], only_supported } = settings.value
  const digits = digitsOf(text)
  const isOther = isOfOtherNetwork(digits)
  if (only_supported === true) {
    const isTaken = scheme === null ? !isOther : card_icons.some((icon) => scheme.takenAs.includes(icon))
    if (!isTaken) return card_icons.length > 0 ? 'wrong_scheme' : 'other_network'
  }
  if (isOther) return 'other_network'
  return faultOfDigits(digits, scheme)
}

/** So many digits decide which networks a number can be of. */
const DIGITS_OF_NETWORK = 6
/** A month with the year's two digits or four. 20 may be the first half of a year. */
const wholeDate = /^\d{2} \/ (?:(?!20)\d{2}|20\d{2})$/

/**
 * Whether no more keys at the end of a field can make it right, so that its fault need not wait until the field is left: a number with
 * all its digits, or one that begins as none that is accepted, and a whole date.
 */
function isCertain(word: WordName, { name, text, scheme }: CheckedField, form: FormState): boolean {
  if (name === 'expiry') return wholeDate.test(text)
  const digits = name === 'card_number' ? digitsOf(text) : ''
  if (word === 'wrong_number') return digits.length >= (scheme?.usualLength ?? LONGEST_NUMBER)
  if (digits.length < DIGITS_OF_NETWORK || word === 'short_number') return false
  const { card_icons = [], only_supported } = form.settings.value
  return only_supported === true
    ? !possiblyTakenAs(digits).some((one) => card_icons.some((icon) => icon === one))
    : isIssuedElsewhere(digits)
}

/** Whether a field's text is long enough to be judged while it is typed. Most keys need no verdict, which takes long. */
export function canBeJudged(field: FieldName, text: string): boolean {
  if (field === 'expiry') return wholeDate.test(text)
  return field === 'card_number' && digitsOf(text).length >= DIGITS_OF_NETWORK
}

function faultOfDigits(digits: string, scheme: Scheme | null): WordName | null {
  // While it is typed, no verdict is needed: it takes longer than all else that a key press does.
  if (scheme !== null && digits.length < Math.min(...scheme.lengths)) return 'short_number'
  const verdict = numberVerdict(digits)
  if (verdict === 'valid') return null
  // As long as some of its numbers and shorter than others, it may have a digit too many as well as too few.
  const canBeShort = verdict === 'incomplete' || (digits.length < SHORTEST_NUMBER && !digits.startsWith('0'))
  const isShort = scheme === null && canBeShort
  return isShort ? 'short_number' : 'wrong_number'
}

function checkExpiry(text: string, now: number): WordName | null {
  const expiry = parseExpiry(text)
  if (expiry === null) return 'wrong_expiry'
  if (expiryVerdict(expiry, now) === 'valid') return null
  if (expiry.month < 1 || expiry.month > 12) return 'wrong_month'
  return expiry.year > new Date(now).getUTCFullYear() ? 'far_year' : 'past_expiry'
}
