import { hydrate, options } from 'preact'
import type { VNode } from 'preact'
import type { AfterPaintQueue } from './after-paint-queue.ts'

/**
 * Hydrates prerendered markup. Components then render as soon as a signal that they read changes, without delay, so that the
 * code that changes the state can focus an element which appears by that change.
 */
export function renderPage(content: HTMLElement, page: VNode): void {
  options.debounceRendering = atOnce
  hydrate(page, content)
}

const atOnce = (render: () => void) => render()

/**
 * Does work whose changes components render after the next paint; before that, if anything else makes one render. Preact then
 * renders all that waits, as `debounceRendering` is no longer the same function.
 */
export function renderAfterPaint(afterPaint: AfterPaintQueue, work: () => void): void {
  options.debounceRendering = afterPaint.add
  try {
    work()
  } finally {
    options.debounceRendering = atOnce
  }
}
