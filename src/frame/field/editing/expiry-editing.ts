import { digitsOf } from '../../../card/digits.ts'
import { tidyExpiry } from './expiry-text.ts'
import { deletionBeyondGap, isKey, withAsciiDigits } from './text-edit.ts'
import type { TextEdit, TextWithCaret } from './text-edit.ts'

const twoDigitMonth = /^(?:0[1-9]|1[0-2])$/
const monthWithSeparator = /^(0?[1-9]|1[0-2])[^\p{L}\d]+$/u
/** No month begins with 3 to 9; a 2 may begin a year. */
const monthOfOneDigit = /^[3-9]$/
const monthInFront = /^\d{2} \/ /
/** A year has two digits, or four with this century's in front. */
const monthAndYear = /^\d{2} \/ (?:\d{0,2}|\d{2}\s+|20\d{2}\s*)$/
const bareMonth = /^(0?[1-9]|1[0-2])[^\p{L}\d]*$/u
const bareYear = /^20\d{2}$/

/**
 * The expiry field after an edit. A month that is typed gets ` / ` for the year. Keys that go on as no year does, such as those of
 * 31/12/2039, are shown as they were typed. A date that was pasted, dictated or filled in is shown as `MM / YY` at once.
 */
export function editExpiry(before: string, browserEdit: TextEdit): TextWithCaret {
  const edit = withAsciiDigits(browserEdit)
  // A gap that is typed out of habit when the focus has come from the number.
  if (!/[\p{L}\d]/u.test(edit.value)) return atEnd('')
  const beyond = deletionBeyondGap(before, edit)
  if (beyond !== null) {
    const isLastKey = edit.inputType === 'deleteContentBackward' && edit.caret === edit.value.length
    const keys = isLastKey ? edit.typed : undefined
    return keys === undefined ? withoutTrailingSeparator(beyond) : atEnd(withoutLastKey(keys, before))
  }
  if (edit.inputType.startsWith('delete') || edit.caret < edit.value.length) return edit
  if (isKey(before, edit))
    return atEnd(typed(edit.value, (edit.typed ?? before) + edit.value.slice(before.length)))
  const isComposed = edit.inputType === 'insertCompositionText' && !/\p{L}/u.test(edit.value)
  return atEnd(isComposed ? typedOneByOne(edit.value) : putIn(before, edit.value))
}

/** The digits of an input method are keys, which go on. */
function typedOneByOne(value: string): string {
  return value.split('').reduce((shown, key, at) => typed(shown + key, value.slice(0, at + 1)), '')
}

/** The keys without the last one that made a difference to what is shown. */
function withoutLastKey(keys: string, shown: string): string {
  const left = keys.slice(0, -1)
  return typed(left) === shown ? withoutLastKey(left, shown) : left
}

function putIn(before: string, value: string): string {
  const shown = tidyExpiry(joined(before, value))
  return bareMonth.test(shown) ? typed(shown) : shown
}

/** A text to which a key was added, as it is shown. `keys`: what was typed for it. */
function typed(value: string, keys = value): string {
  const month = twoDigitMonth.exec(value)?.[0] ?? monthWithSeparator.exec(value)?.[1]
  if (month !== undefined) return `${month.padStart(2, '0')} / `
  if (monthOfOneDigit.test(value)) return `0${value} / `
  if (!monthInFront.test(value) || monthAndYear.test(value)) return value
  return /\D$/.test(keys) || digitsOf(keys) !== digitsOf(value) ? keys : value
}

/** Some autofill knows month and year apart, and gives one after the other to a field that is for both. */
function joined(before: string, value: string): string {
  if (bareYear.test(value) && bareMonth.test(before)) return `${before}/${value}`
  return bareYear.test(before) && bareMonth.test(value) ? `${value}/${before}` : value
}

function withoutTrailingSeparator({ value, caret }: TextWithCaret): TextWithCaret {
  const kept = value.replace(/[^\p{L}\d]+$/u, '')
  return { value: kept, caret: Math.min(caret, kept.length) }
}

function atEnd(value: string): TextWithCaret {
  return { value, caret: value.length }
}
