import type { Emit } from './page-channel.ts'

/** Tells the page the size of the content now and whenever it changes, in whole CSS pixels. */
export function tellSize(content: Element, emit: Emit): void {
  new ResizeObserver(() => {
    const { height, width } = content.getBoundingClientRect()
    emit({ event: 'resize', height: Math.ceil(height), width: Math.ceil(width) })
  }).observe(content)
}
