import { alphanumeric, alphanumericsOf } from './text-edit.ts'
import type { TextEdit, TextWithCaret } from './text-edit.ts'

/** A text to go back to. Those of one paste into several fields have the same `paste`. */
interface Step extends TextWithCaret {
  paste?: symbol | undefined
}

/** Texts for undo (`past`) and redo (`future`) of one input; the nearest is the last of its list. */
export interface EditHistory {
  past: Step[]
  future: Step[]
  /** The result and kind of the last edit: a similar one that follows joins its undo step. */
  last: TextEdit | null
  /** The keys of a text that was typed, and how the form has written them; more may have been typed behind. */
  rewritten: { typed: string; shown: string } | null
}

const MAX_STEPS = 100

/** An empty history. */
export function createHistory(): EditHistory {
  return { past: [], future: [], last: null, rewritten: null }
}

/**
 * Records the text that an edit replaced. Consecutive keys of one kind at the caret are one undo step. A new word or group of
 * digits begins another step. A paste into several fields is a step of the field that it was put into, even if nothing in it changed.
 */
export function recordEdit(
  history: EditHistory,
  before: string,
  edit: TextEdit,
  after: TextWithCaret,
  paste?: symbol,
): void {
  history.rewritten = rewrittenBy(history, before, edit, after)
  if (after.value === before && paste === undefined) return
  if (paste !== undefined || !continuesLastEdit(history.last, before, edit, after)) {
    history.past = [...history.past, { value: before, caret: caretIn(before, after), paste }].slice(
      -MAX_STEPS,
    )
  }
  history.future = []
  history.last = { ...after, inputType: edit.inputType }
}

function rewrittenBy(
  { rewritten }: EditHistory,
  before: string,
  { inputType, value, typed = before }: TextEdit,
  after: TextWithCaret,
): EditHistory['rewritten'] {
  if (inputType === 'insertText' && value !== after.value) {
    const keys = value.startsWith(before) ? typed + value.slice(before.length) : value
    return { typed: keys, shown: after.value }
  }
  const isKey = inputType === 'insertText' || inputType === 'deleteContentBackward'
  return isKey && rewritten !== null && after.value.startsWith(rewritten.shown) ? rewritten : null
}

/** The keys that a field's text was typed with, if the form has written some of them in another way. */
export function keysOf({ rewritten }: EditHistory, text: string): string | undefined {
  return rewritten !== null && text.startsWith(rewritten.shown)
    ? rewritten.typed + text.slice(rewritten.shown.length)
    : undefined
}

/** Where the caret was before the edit: an edit leaves the text after the caret unchanged, except for gaps. */
function caretIn(before: string, after: TextWithCaret): number {
  const behind = alphanumericsOf(after.value.slice(after.caret)).length
  return behind === 0 ? before.length : ([...before.matchAll(alphanumeric)].at(-behind)?.index ?? 0)
}

function continuesLastEdit(
  last: TextEdit | null,
  before: string,
  edit: TextEdit,
  after: TextWithCaret,
): boolean {
  if (last?.value !== before || last.inputType !== edit.inputType) return false
  if (edit.inputType !== 'insertText' && edit.inputType !== 'deleteContentBackward') return false
  if (edit.caret - last.caret !== edit.value.length - before.length) return false
  return edit.inputType !== 'insertText' || !beginsWord(after.value.slice(0, after.caret))
}

/** Whether the last character of a text is the first of a word or of a group of digits. */
function beginsWord(text: string): boolean {
  const [last = '', before = ''] = Array.from(text.slice(-4)).reverse()
  return last !== '' && alphanumericsOf(before + last) === last
}

/** The paste that the next step takes back or gives back, with what it put into other fields. */
export function nextPaste(history: EditHistory, direction: 'undo' | 'redo'): symbol | undefined {
  return (direction === 'undo' ? history.past : history.future).at(-1)?.paste
}

/** Undoes or redoes one step and returns the text to show; null if there is none. `shown` is the current text. */
export function undoOrRedo(
  history: EditHistory,
  direction: 'undo' | 'redo',
  shown: TextWithCaret,
): TextWithCaret | null {
  const [from, to] = direction === 'undo' ? [history.past, history.future] : [history.future, history.past]
  const found = from.pop()
  if (found === undefined) return null
  to.push({ ...shown, paste: found.paste })
  history.last = null
  return found
}
