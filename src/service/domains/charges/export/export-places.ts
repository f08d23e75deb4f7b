import type { MonotonicClock } from '../../../platform/clocks.ts'
import { ServiceError } from '../../../platform/errors.ts'

/** Exports that one process has open at once: of one merchant, and in all. Each holds some hundred lines. */
const MAX_OF_MERCHANT = 2
const MAX_IN_ALL = 24
/** Who has taken nothing for so long gives its place up to somebody who has none. */
const SLOW_MS = 5000
/** A guess: exports take from a second to minutes. */
const RETRY_AFTER_SECONDS = 15

/** The place of one export. */
export interface ExportPlace {
  /** From now on the export waits for its reader, until `goOn`. */
  waitForReader: () => void
  goOn: () => void
  leave: () => void
}

/** Gives out places for exports; throws `rate_limited` while a merchant has its share, or all are taken by readers that are not slow. */
export interface ExportPlaces {
  /** `end` is called where the place is needed and the reader is slow. */
  take: (merchantId: string, end: () => void) => ExportPlace
}

interface Taken {
  merchantId: string
  end: () => void
  waitsSince: number | null
}

export function createExportPlaces(clock: MonotonicClock): ExportPlaces {
  const taken = new Set<Taken>()
  /** Ends the export whose reader has taken nothing for longest; false where none is slow. */
  const endSlowest = (): boolean => {
    const latest = clock.elapsedMs() - SLOW_MS
    const [slowest] = [...taken]
      .filter(({ waitsSince }) => waitsSince !== null && waitsSince <= latest)
      .sort((one, other) => (one.waitsSince ?? 0) - (other.waitsSince ?? 0))
    if (slowest === undefined) return false
    taken.delete(slowest)
    slowest.end()
    return true
  }
  return {
    take(merchantId, end) {
      const own = [...taken].filter((one) => one.merchantId === merchantId).length
      if (own >= MAX_OF_MERCHANT || (taken.size >= MAX_IN_ALL && !endSlowest())) throw tooMany()
      const one: Taken = { merchantId, end, waitsSince: null }
      taken.add(one)
      return {
        waitForReader: () => void (one.waitsSince = clock.elapsedMs()),
        goOn: () => void (one.waitsSince = null),
        leave: () => void taken.delete(one),
      }
    },
  }
}

function tooMany(): ServiceError {
  const words = 'Other exports are under way. Wait until one of them has ended.'
  return new ServiceError('rate_limited', words, { retryAfter: RETRY_AFTER_SECONDS })
}
