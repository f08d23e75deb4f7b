import { runAll } from './run-all.ts'

/** Work that a key press does not need to be seen: it is done once the browser has painted what was changed until now. */
export interface AfterPaintQueue {
  add: (work: () => void) => void
  /** Does at once what waits. */
  flush: () => void
}

/** A document out of sight is not painted. Its work waits no longer than this. */
const LONGEST_WAIT_MS = 100

export function createAfterPaintQueue(frameWindow: Window): AfterPaintQueue {
  let waiting: (() => void)[] = []
  const flush = () => {
    const works = waiting
    waiting = []
    runAll(works)
  }
  return {
    add: (work) => {
      waiting.push(work)
      if (waiting.length > 1) return
      // The callback of an animation frame comes before its paint, a timer set in it comes after.
      frameWindow.requestAnimationFrame(() => frameWindow.setTimeout(flush))
      frameWindow.setTimeout(flush, LONGEST_WAIT_MS)
    },
    flush,
  }
}
