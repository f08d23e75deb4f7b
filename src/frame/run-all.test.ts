import { expect, it, onTestFinished, vi } from 'vitest'
import { createAfterPaintQueue } from './after-paint-queue.ts'
import { createAfterClick } from './form/after-click.ts'

/** Does what was put in a queue, of which the first throws, and answers what was done and what surfaced as uncaught. */
function tell(add: (work: () => void) => void, run: () => void): unknown[] {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const told: unknown[] = []
  add(() => {
    throw new Error('of the first')
  })
  add(() => told.push('the second'))
  run()
  try {
    vi.runAllTimers()
  } catch (error) {
    told.push(error)
  }
  vi.runAllTimers()
  return told
}

it('what waits for a paint is done, whatever is thrown before it, and nothing is thrown at who asks for it', () => {
  const queue = createAfterPaintQueue(window)
  expect(tell(queue.add, queue.flush)).toEqual(['the second', new Error('of the first')])
})

it('what waits for a click is done, whatever is thrown before it', () => {
  const afterClick = createAfterClick(document)
  document.dispatchEvent(new MouseEvent('mousedown'))
  const release = () => document.dispatchEvent(new MouseEvent('mouseup'))
  expect(tell(afterClick, release)).toEqual(expect.arrayContaining(['the second', new Error('of the first')]))
})
