import { tidyExpiry } from './expiry-text.ts'
import { deletionBeyondGap, isKey, withAsciiDigits } from './text-edit.ts'
import type { TextEdit, TextWithCaret } from './text-edit.ts'

const twoDigitMonth = /^(?:0[1-9]|1[0-2])$/
const monthWithSeparator = /^(0?[1-9]|1[0-2])[^\p{L}\d]+$/u
/** No month begins with 3 to 9; a 2 may begin a year. */
const monthOfOneDigit = /^[3-9]$/
/** A year has two digits, or four with this century's in front. */
const tooLongYear = /^(\d{2} \/ (?:20\d{2}|(?!20)\d{2}))\d$/
const bareMonth = /^(0?[1-9]|1[0-2])[^\p{L}\d]*$/u
const bareYear = /^20\d{2}$/

/**
 * The expiry field after an edit. A month that is typed gets ` / ` for the year, and a full year takes no more digits. A date
 * that was pasted, dictated or filled in is shown as `MM / YY` at once.
 */
export function editExpiry(before: string, browserEdit: TextEdit): TextWithCaret {
  const edit = withAsciiDigits(browserEdit)
  const beyond = deletionBeyondGap(before, edit)
  if (beyond !== null) {
    const keys = edit.inputType === 'deleteContentBackward' ? edit.typed : undefined
    return keys === undefined ? withoutTrailingSeparator(beyond) : atEnd(keys.slice(0, -1))
  }
  if (edit.inputType.startsWith('delete') || edit.caret < edit.value.length) return edit
  if (isKey(before, edit)) return atEnd(typed(edit.value))
  const isComposed = edit.inputType === 'insertCompositionText' && !/\p{L}/u.test(edit.value)
  return atEnd(isComposed ? typedOneByOne(edit.value) : putIn(before, edit.value))
}

/** The digits of an input method are keys, which go on. */
function typedOneByOne(value: string): string {
  return value.split('').reduce((shown, key) => typed(shown + key), '')
}

function putIn(before: string, value: string): string {
  const shown = tidyExpiry(joined(before, value))
  return bareMonth.test(shown) ? typed(shown) : shown
}

function typed(value: string): string {
  const month = twoDigitMonth.exec(value)?.[0] ?? monthWithSeparator.exec(value)?.[1]
  if (month !== undefined) return `${month.padStart(2, '0')} / `
  if (monthOfOneDigit.test(value)) return `0${value} / `
  return tooLongYear.exec(value)?.[1] ?? value
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
