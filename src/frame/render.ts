import { hydrate, options } from 'preact'
import type { VNode } from 'preact'

/**
 * Hydrates prerendered markup. Components then render as soon as a signal that they read changes, without delay, so that the
 * code that changes the state can focus an element which appears by that change.
 */
export function renderPage(content: HTMLElement, page: VNode): void {
  options.debounceRendering = (render) => render()
  hydrate(page, content)
}
