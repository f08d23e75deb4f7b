import { ServiceError } from '../../../platform/errors.ts'

/** Exports that one process makes at once: of one merchant, and in all. */
const MAX_OF_MERCHANT = 2
const MAX_IN_ALL = 6
/** A guess: exports take from a second to minutes. */
const RETRY_AFTER_SECONDS = 15

/** Gives out places for exports; throws `rate_limited` while a merchant has its share, or all are taken. */
export interface ExportPlaces {
  /** Returns the function that gives the place back. */
  take: (merchantId: string) => () => void
}

export function createExportPlaces(): ExportPlaces {
  const taken = new Map<string, number>()
  const inAll = () => [...taken.values()].reduce((sum, count) => sum + count, 0)
  return {
    take(merchantId) {
      const own = taken.get(merchantId) ?? 0
      if (own >= MAX_OF_MERCHANT || inAll() >= MAX_IN_ALL) throw tooMany()
      taken.set(merchantId, own + 1)
      let isGiven = true
      return () => {
        if (!isGiven) return
        isGiven = false
        const left = (taken.get(merchantId) ?? 1) - 1
        if (left === 0) taken.delete(merchantId)
        else taken.set(merchantId, left)
      }
    },
  }
}

function tooMany(): ServiceError {
  const words = 'Other exports are under way. Wait until one of them has ended.'
  return new ServiceError('rate_limited', words, { retryAfter: RETRY_AFTER_SECONDS })
}
