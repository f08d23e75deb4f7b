import type { Browser } from '../browser.ts'

/** Whether a person is using the page: has opened it, or done something with it, within the last minute. */
export interface Presence {
  isThere: () => boolean
  stop: () => void
}

const MINUTE_MS = 60_000
/**
 * What only a person does. A mouse may move, and a page may scroll, by itself. Screen readers, voice control and dictation press no key
 * and no pointer: of them come `click` and `input` alone.
 */
const ACTS = ['keydown', 'pointerdown', 'click', 'input', 'wheel', 'touchmove'] as const

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
    // In either direction: a device's clock may be set back.
    isThere: () => Math.abs(now() - actedAt) < MINUTE_MS,
    stop() {
      for (const type of ACTS) document.removeEventListener(type, act, options)
      document.removeEventListener('visibilitychange', comeBack, options)
    },
  }
}
