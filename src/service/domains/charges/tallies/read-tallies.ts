import type { Database } from '../../../platform/database/database.ts'
import type { DeclineReason } from '../../gateways/gateway.ts'
import { refusalOf } from '../refusal.ts'
import { countedTo } from './count-events.ts'
import { stretchesOf } from './tally.ts'
import type { Tallies } from './tally.ts'
import { sumDeclines, sumPeriods, sumSchemes } from './tally-sql.ts'
import type { SumRow } from './tally-sql.ts'

type OfCurrency = Tallies & { currency: string }

interface Declines {
  reason: DeclineReason
  /** Why, in words for the merchant. */
  words: string
  currency: string
  count: number
  cents: number
}

/** Reads a merchant's tallies. Moments are on a quarter hour. */
export interface ReadTallies {
  /** Of each period between two neighbours of `bounds`, counted from 0, in which something happened. */
  byPeriod: (merchantId: string, bounds: readonly Date[]) => Promise<(OfCurrency & { period: number })[]>
  byScheme: (merchantId: string, from: Date, to: Date) => Promise<(OfCurrency & { scheme: string })[]>
  /** The most frequent reason first. */
  declines: (merchantId: string, from: Date, to: Date) => Promise<Declines[]>
  /** Up to which event of the audit log everything is counted. */
  countedTo: () => Promise<number>
}

export function createReadTallies(database: Database): ReadTallies {
  return {
    byPeriod: async (merchantId, bounds) =>
      (await database.run(sumPeriods, toStretches(merchantId, bounds))).map((row) => ({
        period: row.period,
        currency: row.currency,
        ...toTallies(row),
      })),
    byScheme: async (merchantId, ...range) =>
      (await database.run(sumSchemes, toStretches(merchantId, range))).map((row) => ({
        scheme: row.scheme,
        currency: row.currency,
        ...toTallies(row),
      })),
    declines: async (merchantId, ...range) =>
      (await database.run(sumDeclines, toStretches(merchantId, range))).map((row) => ({
        ...row,
        words: wordsOf(row.reason),
      })),
    countedTo: () => countedTo(database),
  }
}

/** The periods between neighbours, as the stretches of time that they consist of. */
function toStretches(merchantId: string, bounds: readonly Date[]) {
  const stretches = bounds.flatMap((from, period) => {
    const to = bounds[period + 1]
    return to === undefined ? [] : stretchesOf(from, to).map((stretch) => ({ period, ...stretch }))
  })
  return {
    merchant_id: merchantId,
    periods: stretches.map(({ period }) => period),
    spans: stretches.map(({ spanMinutes }) => spanMinutes),
    froms: stretches.map(({ from }) => from),
    tos: stretches.map(({ to }) => to),
  }
}

function wordsOf(declineReason: DeclineReason): string {
  return refusalOf({ type: 'sale', outcome: 'declined', declineReason })?.message ?? declineReason
}

function toTallies(row: SumRow): Tallies {
  return {
    authorised: { count: row.authorised_count, cents: row.authorised_cents },
    captured: { count: row.captured_count, cents: row.captured_cents },
    refunded: { count: row.refunded_count, cents: row.refunded_cents },
    cancelled: { count: row.cancelled_count, cents: row.cancelled_cents },
    declined: { count: row.declined_count, cents: row.declined_cents },
  }
}
