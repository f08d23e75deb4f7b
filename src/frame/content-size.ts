import type { Emit } from './page-channel.ts'

/** Emits the size of the content now and on every change, in whole CSS pixels. */
export function emitSize(content: Element, emit: Emit): void {
  new ResizeObserver(() => {
    const { height, width } = content.getBoundingClientRect()
    emit({ event: 'resize', height: Math.ceil(height), width: Math.ceil(width) })
  }).observe(content)
}
