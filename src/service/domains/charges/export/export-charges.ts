import { setTimeout as pause } from 'node:timers/promises'
import type { MonotonicClock } from '../../../platform/clocks.ts'
import { positionOf } from '../../../platform/listing/cursor.ts'
import { timeWriter } from '../../../platform/zoned-time.ts'
import type { ChargeSearch } from '../search/charge-filter.ts'
import type { ListCharges } from '../search/listed-charges.ts'
import { HEADING, toChargeLine } from './charge-line.ts'

/** A merchant's charges as a CSV file, in pieces of some hundred lines; each is made when it is asked for. */
export type ExportCharges = (
  merchantId: string,
  search: ChargeSearch,
  timeZone: string,
) => AsyncGenerator<string, void, undefined>

/** Charges that are read at once. */
const BATCH = 500

/**
 * Reads page by page. Between two pages it rests for as long as the page took: so an export has half of one database connection at
 * most, whatever else waits for one.
 */
export function createExportCharges(listCharges: ListCharges, clock: MonotonicClock): ExportCharges {
  return async function* (merchantId, search, timeZone) {
    const timeIn = timeWriter(timeZone)
    let heading = HEADING
    let page = { ...search }
    for (;;) {
      const began = clock.elapsedMs()
      const { listed, next } = await listCharges(merchantId, page, BATCH)
      const tookMs = clock.elapsedMs() - began
      yield heading + listed.map((one) => toChargeLine(one, timeIn)).join('')
      if (next === null) return
      heading = ''
      page = { ...search, after: positionOf(next) }
      await pause(tookMs)
    }
  }
}
