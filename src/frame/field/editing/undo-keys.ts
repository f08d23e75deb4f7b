/**
 * Whether a key or a menu asks to undo or redo; null if neither. The browser's own undo knows nothing of gaps that were
 * set between digits, so none of them may reach it.
 */
export function undoDirectionOf(event: Event): 'undo' | 'redo' | null {
  if (event instanceof InputEvent) {
    if (event.inputType === 'historyUndo') return 'undo'
    return event.inputType === 'historyRedo' ? 'redo' : null
  }
  if (!(event instanceof KeyboardEvent) || event.ctrlKey === event.metaKey || event.altKey) return null
  const letter = letterOf(event)
  if (letter === 'z') return event.shiftKey ? 'redo' : 'undo'
  return letter === 'y' ? 'redo' : null
}

/** The letter by what is written on the key or, on a keyboard of another script, by where it is. */
function letterOf({ key, code }: KeyboardEvent): string {
  return (/^[a-z]$/i.test(key) ? key : code.slice(-1)).toLowerCase()
}
