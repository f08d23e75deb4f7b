import type { Database } from '../../../platform/database/database.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import type { DeclineReason } from '../../gateways/gateway.ts'
import { refusalOf } from '../refusal.ts'
import { countedTo } from './count-events.ts'
import { spanFor } from './tally.ts'
import type { Tallies } from './tally.ts'
import { sumDeclines, sumTallies } from './tally-sql.ts'
import type { tallyColumns } from './tally-sql.ts'

/** What became of a merchant's charges in one period, by one scheme and currency. */
interface TalliesOfPeriod extends Tallies {
  /** Which period, counted from 0. */
  period: number
  currency: string
  scheme: string
}

interface Declines {
  reason: DeclineReason
  /** Why, in words for the merchant. */
  words: string
  currency: string
  count: number
  cents: number
}

/** Reads tallies. A period lies between two neighbours of `bounds`, which are moments on a quarter hour, in order. */
export interface ReadTallies {
  byPeriod: (merchantId: string, bounds: readonly Date[]) => Promise<TalliesOfPeriod[]>
  /** The most frequent reason first. */
  declines: (merchantId: string, bounds: readonly Date[]) => Promise<Declines[]>
  /** Up to which event of the audit log everything is counted. */
  countedTo: () => Promise<number>
}

export function createReadTallies(database: Database): ReadTallies {
  const rangeOf = (merchantId: string, bounds: readonly Date[]) => ({
    merchant_id: merchantId,
    span_minutes: spanFor(bounds),
    bounds,
  })
  return {
    byPeriod: async (...range) => (await database.run(sumTallies, rangeOf(...range))).map(toTallies),
    declines: async (...range) =>
      (await database.run(sumDeclines, rangeOf(...range))).map((row) => ({
        ...row,
        words: wordsOf(row.reason),
      })),
    countedTo: () => countedTo(database),
  }
}

function wordsOf(declineReason: DeclineReason): string {
  return refusalOf({ type: 'sale', outcome: 'declined', declineReason })?.message ?? declineReason
}

function toTallies(row: ValuesOf<typeof tallyColumns>): TalliesOfPeriod {
  return {
    period: row.period - 1,
    currency: row.currency,
    scheme: row.scheme,
    authorised: { count: row.authorised_count, cents: row.authorised_cents },
    captured: { count: row.captured_count, cents: row.captured_cents },
    refunded: { count: row.refunded_count, cents: row.refunded_cents },
    cancelled: { count: row.cancelled_count, cents: row.cancelled_cents },
    declined: { count: row.declined_count, cents: row.declined_cents },
  }
}
