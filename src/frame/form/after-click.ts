import { runAll } from '../run-all.ts'

/** Runs work at once or, while a mouse button is held down, right after the click. */
export type AfterClick = (work: () => void) => void

/**
 * Pressing a button moves the focus out of a field before the click happens. A fault that appears then could move the button
 * away from the pointer, and the click would be lost. So that work waits for the click.
 */
export function createAfterClick(page: Document): AfterClick {
  let waiting: (() => void)[] | null = null
  const release = () => {
    const works = waiting ?? []
    waiting = null
    runAll(works)
  }
  page.addEventListener('mousedown', () => (waiting ??= []), true)
  // No `mouseup` follows a press that opens a menu or begins a drag.
  for (const end of ['mouseup', 'contextmenu', 'dragend'])
    page.addEventListener(end, () => setTimeout(release), true)
  return (work) => {
    if (waiting === null) work()
    else waiting.push(work)
  }
}
