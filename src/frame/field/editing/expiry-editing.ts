import { tidyExpiry } from './expiry-text.ts'
import { deletionBeyondGap, withAsciiDigits } from './text-edit.ts'
import type { TextEdit, TextWithCaret } from './text-edit.ts'

const typing = /^insert(?:Composition)?Text$/
const twoDigitMonth = /^(?:0[1-9]|1[0-2])$/
const monthWithSeparator = /^(0?[1-9]|1[0-2])[^\p{L}\d]+$/u

/**
 * The expiry field after an edit. Typing a month adds ` / ` for the year, and nothing else changes while a person types. A date
 * that was pasted or filled in is shown as `MM / YY` at once.
 */
export function editExpiry(before: string, browserEdit: TextEdit): TextWithCaret {
  const edit = withAsciiDigits(browserEdit)
  const beyond = deletionBeyondGap(before, edit)
  if (beyond !== null) return withoutTrailingSeparator(beyond)
  if (edit.inputType.startsWith('delete') || edit.caret < edit.value.length) return edit
  const typed = typing.test(edit.inputType) && edit.value.length <= before.length + 1
  return atEnd(typed ? withSeparatorAdded(edit.value) : tidyExpiry(edit.value))
}

function withSeparatorAdded(value: string): string {
  const month = twoDigitMonth.exec(value)?.[0] ?? monthWithSeparator.exec(value)?.[1]
  return month === undefined ? value : `${month.padStart(2, '0')} / `
}

function withoutTrailingSeparator({ value, caret }: TextWithCaret): TextWithCaret {
  const kept = value.replace(/[^\p{L}\d]+$/u, '')
  return { value: kept, caret: Math.min(caret, kept.length) }
}

function atEnd(value: string): TextWithCaret {
  return { value, caret: value.length }
}
