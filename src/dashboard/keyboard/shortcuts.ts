import { signal } from '@preact/signals'
import type { ReadonlySignal, Signal } from '@preact/signals'

/** A keyboard shortcut of the page that is shown. */
export interface Shortcut {
  /** As in `KeyboardEvent.key`, such as `j` or `?`. */
  key: string
  /** What it does, for the list of shortcuts. */
  words: string
  run: () => void
}

export interface Shortcuts {
  all: ReadonlySignal<readonly Shortcut[]>
  /** Whether single keys do anything. A person whose speech input types letters can turn them off (WCAG 2.1.4). */
  isOn: Signal<boolean>
  /** Whether the list of shortcuts is shown. */
  isListOpen: Signal<boolean>
  /** Adds shortcuts until the returned function is called. */
  add: (shortcuts: readonly Shortcut[]) => () => void
  stop: () => void
}

/** Listens for shortcuts. Keys that are typed into a field, held with a modifier or pressed in a dialog are left alone. */
export function createShortcuts(document: Document): Shortcuts {
  const all = signal<readonly Shortcut[]>([])
  const isOn = signal(true)
  const listen = (event: KeyboardEvent) => {
    if (!isOn.value || event.ctrlKey || event.metaKey || event.altKey || isTakenBy(event.target)) return
    // The last that was added: what a page says comes before what holds everywhere.
    const shortcut = all.value.findLast(({ key }) => key === event.key)
    if (!shortcut) return
    event.preventDefault()
    shortcut.run()
  }
  document.addEventListener('keydown', listen)
  return {
    all,
    isOn,
    isListOpen: signal(false),
    add: (shortcuts) => {
      all.value = [...all.value, ...shortcuts]
      return () => {
        all.value = all.value.filter((shortcut) => !shortcuts.includes(shortcut))
      }
    },
    stop: () => document.removeEventListener('keydown', listen),
  }
}

/** Whether an element wants keys for itself. */
function isTakenBy(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, dialog, [contenteditable], [role=tablist], [popover]') !== null
  )
}
