import { mark, marksOf } from './text-edit.ts'
import type { TextEdit, TextWithCaret } from './text-edit.ts'

/** What an input held before, and what was taken back; the last of each list is the nearest. */
export interface EditHistory {
  past: TextWithCaret[]
  future: TextWithCaret[]
  /** What the last edit left, and its kind: the next of its kind may be one step with it. */
  last: TextEdit | null
}

const MOST_STEPS = 100
const wordBegun = /(?:^|[^\p{L}\p{Nd}])[\p{L}\p{Nd}]$/u

/** A history of nothing yet. */
export function createHistory(): EditHistory {
  return { past: [], future: [], last: null }
}

/**
 * Keeps what an edit replaced. A run of keys of one kind is one step, as long as the caret stays with it; each new word or
 * group of digits begins another.
 */
export function keepStep(history: EditHistory, before: string, edit: TextEdit, after: TextWithCaret): void {
  if (after.value === before) return
  if (!goesOn(history.last, before, edit, after)) {
    history.past = [...history.past, { value: before, caret: caretIn(before, after) }].slice(-MOST_STEPS)
  }
  history.future = []
  history.last = { ...after, inputType: edit.inputType }
}

/** Where the caret was: what stands behind it is the same after an edit, but for gaps. */
function caretIn(before: string, after: TextWithCaret): number {
  const behind = marksOf(after.value.slice(after.caret)).length
  return behind === 0 ? before.length : ([...before.matchAll(mark)].at(-behind)?.index ?? 0)
}

function goesOn(last: TextEdit | null, before: string, edit: TextEdit, after: TextWithCaret): boolean {
  if (last?.value !== before || last.inputType !== edit.inputType) return false
  if (edit.inputType !== 'insertText' && edit.inputType !== 'deleteContentBackward') return false
  if (edit.caret - last.caret !== edit.value.length - before.length) return false
  return edit.inputType !== 'insertText' || !wordBegun.test(after.value.slice(0, after.caret))
}

/** Takes the last step back, or does the last one taken back again; null if there is none. */
export function step(history: EditHistory, way: 'undo' | 'redo', shown: TextWithCaret): TextWithCaret | null {
  const [from, to] = way === 'undo' ? [history.past, history.future] : [history.future, history.past]
  const found = from.pop()
  if (found === undefined) return null
  to.push(shown)
  history.last = null
  return found
}
