import { signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'

/** A short message about what was done. */
export interface Toast {
  id: number
  words: string
  tone: 'good' | 'bad'
  /** A way to take it back, where there is one. */
  undo?: () => void
}

export interface Toasts {
  shown: ReadonlySignal<readonly Toast[]>
  show: (words: string, options?: { tone?: Toast['tone']; undo?: () => void }) => void
  dismiss: (id: number) => void
  /** The regions that are there: the page's, and one in each open dialog. Toasts appear in the last. */
  regions: ReadonlySignal<readonly symbol[]>
  /** Adds a region; returns the function that removes it. */
  addRegion: (region: symbol) => () => void
}

/** How many are shown at once; the oldest goes first. */
const MAX_TOASTS = 3

export function createToasts(): Toasts {
  const shown = signal<readonly Toast[]>([])
  const regions = signal<readonly symbol[]>([])
  let last = 0
  return {
    shown,
    regions,
    addRegion: (region) => {
      regions.value = [...regions.value, region]
      return () => {
        regions.value = regions.value.filter((one) => one !== region)
      }
    },
    show: (words, { tone = 'good', undo } = {}) => {
      last += 1
      const toast: Toast = { id: last, words, tone, ...(undo === undefined ? {} : { undo }) }
      shown.value = [...shown.value, toast].slice(-MAX_TOASTS)
    },
    dismiss: (id) => {
      shown.value = shown.value.filter((toast) => toast.id !== id)
    },
  }
}
