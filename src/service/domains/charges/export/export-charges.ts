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
/** Pages that are read at the same time, of all exports of this process. */
const MAX_READING = 6

/**
 * Reads page by page. Between two pages it rests for as long as the page took: so an export has half of one database connection at
 * most, whatever else waits for one; and all together have six, by turns.
 */
export function createExportCharges(listCharges: ListCharges, clock: MonotonicClock): ExportCharges {
  const inTurn = createTurns(MAX_READING)
  return async function* (merchantId, search, timeZone) {
    const timeIn = timeWriter(timeZone)
    let heading = HEADING
    let page = { ...search }
    for (;;) {
      const asked = page
      const { listed, next, tookMs } = await inTurn(async () => {
        const began = clock.elapsedMs()
        return { ...(await listCharges(merchantId, asked, BATCH)), tookMs: clock.elapsedMs() - began }
      })
      yield heading + listed.map((one) => toChargeLine(one, timeIn)).join('')
      if (next === null) return
      heading = ''
      page = { ...search, after: positionOf(next) }
      await pause(tookMs)
    }
  }
}

/** Does so much at once, and the rest in the order in which it came. */
function createTurns(atOnce: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (work) => {
    if (underWay < atOnce) underWay += 1
    // What has ended passes its turn on.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) underWay -= 1
      else next()
    }
  }
}
