import { effect } from '@preact/signals'
import { hydrate, render } from 'preact'
import type { VNode } from 'preact'

/** Shows the page and shows it anew, at once, whenever a signal that it reads changes. */
export function keepShown(content: HTMLElement, page: () => VNode): void {
  let show = hydrate
  effect(() => {
    show(page(), content)
    show = render
  })
}
