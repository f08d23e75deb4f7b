import type { Browser } from './browser.ts'

/** The service's time, by which cards and checkouts are judged: a device's clock may be years off. */
export interface ServiceClock {
  /** In ms since 1970. At first it may be up to a day behind. */
  now: () => number
  /** Takes over a time that the service has just told; NaN changes nothing. */
  setTo: (time: number) => void
}

/** A clock that goes on from the day, such as `2026-11-22` (UTC), on which the service made the document. */
export function createServiceClock(today: string, elapsed: Browser['elapsed']): ServiceClock {
  let start = Date.parse(today) - elapsed()
  return {
    now: () => start + elapsed(),
    setTo: (time) => {
      if (!Number.isNaN(time)) start = time - elapsed()
    },
  }
}
