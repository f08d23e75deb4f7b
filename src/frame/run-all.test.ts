import { expect, it, onTestFinished, vi } from 'vitest'
import { createAfterPaintQueue } from './after-paint-queue.ts'
import { createAfterClick } from './form/after-click.ts'

const FAULT = new Error('of the first')

/** Does what was put in a queue, of which the first throws, and answers what was reported as uncaught, and done behind it. */
function doAll(add: (work: () => void) => void, run: () => void): unknown[] {
  const told: unknown[] = []
  vi.useFakeTimers()
  vi.stubGlobal('reportError', (error: unknown) => told.push(error))
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  add(() => {
    throw FAULT
  })
  add(() => told.push('the second'))
  run()
  vi.runAllTimers()
  return told
}

it('work that waits for a paint runs even if earlier work throws, and never throws itself', () => {
  const queue = createAfterPaintQueue(window)
  expect(doAll(queue.add, queue.flush)).toEqual([FAULT, 'the second'])
})

it('what waits for a click is done, whatever is thrown before it', () => {
  const afterClick = createAfterClick(document)
  document.dispatchEvent(new MouseEvent('mousedown'))
  const release = () => document.dispatchEvent(new MouseEvent('mouseup'))
  expect(doAll(afterClick, release)).toEqual([FAULT, 'the second'])
})
