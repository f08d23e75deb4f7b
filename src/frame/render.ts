import { hydrate, options } from 'preact'
import type { VNode } from 'preact'

/**
 * Brings prerendered markup to life. From then on a component renders again when a signal that it read changes: at once
 * and not a moment later, so that whoever changes the state can then move the focus to what it made appear.
 */
export function renderPage(content: HTMLElement, page: VNode): void {
  options.debounceRendering = (render) => render()
  hydrate(page, content)
}
