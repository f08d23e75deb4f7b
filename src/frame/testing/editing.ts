import type { TextEdit, TextWithCaret } from '../field/editing/text-edit.ts'

/** A field's text with a selection from `caret` to `end`. */
interface Field extends TextWithCaret {
  end: number
}
type Editor = (before: string, edit: TextEdit) => TextWithCaret

/** Reads a field written as `42|42` or, with a selection, `4[24]2`. */
export function at(text: string): Field {
  const caret = text.search(/[|[]/)
  const end = text.includes(']') ? text.indexOf(']') - 1 : caret
  return { value: text.replace(/[|[\]]/g, ''), caret, end }
}

/** Writes a field as `42|42`. */
export function show({ value, caret }: TextWithCaret): string {
  return `${value.slice(0, caret)}|${value.slice(caret)}`
}

/** Puts a text in the place of the selection, as a browser does. */
export function insert(edit: Editor, field: Field, text: string, inputType: string): TextWithCaret {
  const value = field.value.slice(0, field.caret) + text + field.value.slice(field.end)
  return edit(field.value, { value, caret: field.caret + text.length, inputType })
}

/** Presses Backspace: the character before the caret goes; at the very start the browser says nothing. */
export function backspace(edit: Editor, { value, caret, end }: Field): TextWithCaret {
  const from = caret === end ? caret - 1 : caret
  if (from < 0) return { value, caret }
  const left = value.slice(0, from) + value.slice(end)
  return edit(value, { value: left, caret: from, inputType: 'deleteContentBackward' })
}

/** Presses Delete: the character after the caret goes; at the very end the browser says nothing. */
export function deleteForward(edit: Editor, { value, caret, end }: Field): TextWithCaret {
  const to = caret === end ? caret + 1 : end
  if (to > value.length) return { value, caret }
  return edit(value, {
    value: value.slice(0, caret) + value.slice(to),
    caret,
    inputType: 'deleteContentForward',
  })
}
