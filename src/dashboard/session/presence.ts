import type { Browser } from '../browser.ts'

/** Whether a person is using the page: has opened it, or done something with it, within the last minute. */
export interface Presence {
  isThere: () => boolean
  stop: () => void
}

const MINUTE_MS = 60_000
/** What only a person does. A mouse may move, and a page may scroll, by itself. */
const ACTS = ['keydown', 'pointerdown', 'wheel', 'touchmove'] as const

/** Follows what a person does with the page, from now on. */
export function watchPresence({ document, now }: Pick<Browser, 'document' | 'now'>): Presence {
  let actedAt = now()
  const act = () => {
    actedAt = now()
  }
  const comeBack = () => {
    if (document.visibilityState === 'visible') act()
  }
  const options = { capture: true, passive: true } as const
  for (const type of ACTS) document.addEventListener(type, act, options)
  document.addEventListener('visibilitychange', comeBack, options)
  return {
    isThere: () => now() - actedAt < MINUTE_MS,
    stop() {
      for (const type of ACTS) document.removeEventListener(type, act, options)
      document.removeEventListener('visibilitychange', comeBack, options)
    },
  }
}
