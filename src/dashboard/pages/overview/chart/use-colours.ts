import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { RefObject } from 'preact'
import { useApp } from '../../../app-context.ts'
import type { LineName } from '../trend.ts'

/** Colours as the browser computes them, which a canvas can be painted with. */
export interface ChartColours {
  lines: Readonly<Record<LineName, string>>
  /** Of the words along the axes. */
  words: string
  /** Of the grid. */
  grid: string
}

const SCHEMES = ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-contrast: more)']

/** The colours of a legend's marks, read again when the person's system changes its scheme; null until they are known. */
export function useColours(legend: RefObject<HTMLElement | null>): ChartColours | null {
  const { browser } = useApp()
  const colours = useSignal<ChartColours | null>(null)
  useEffect(() => {
    const read = () => {
      if (legend.current !== null) colours.value = coloursOf(legend.current, browser.window)
    }
    const queries = SCHEMES.map((query) => browser.window.matchMedia(query))
    read()
    for (const query of queries) query.addEventListener('change', read)
    return () => {
      for (const query of queries) query.removeEventListener('change', read)
    }
  }, [])
  return colours.value
}

function coloursOf(legend: HTMLElement, window: Window): ChartColours {
  const styleOf = (selector: string) => window.getComputedStyle(legend.querySelector(selector) ?? legend)
  const colourOf = (line: LineName) => styleOf(`.line-${line} .line-mark`).color
  return {
    lines: {
      authorised: colourOf('authorised'),
      captured: colourOf('captured'),
      refunded: colourOf('refunded'),
      declined: colourOf('declined'),
    },
    words: styleOf('dt').color,
    grid: styleOf('dt').borderBottomColor,
  }
}
