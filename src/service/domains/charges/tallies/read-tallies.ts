import type { Database } from '../../../platform/database/database.ts'
import type { DeclineReason } from '../../gateways/gateway.ts'
import { refusalOf } from '../refusal.ts'
import { countedTo } from './count-events.ts'
import { periodsBetween, stretchesOf } from './tally.ts'
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
  /** Of each period between two neighbours of `bounds`, counted from 0, in which something happened; by currency within one. */
  byPeriod: (
    merchantId: string,
    bounds: readonly Date[],
  ) => Promise<{ period: number; tallies: OfCurrency }[]>
  byScheme: (merchantId: string, from: Date, to: Date) => Promise<(OfCurrency & { scheme: string })[]>
  /** The most frequent reason first. */
  declines: (merchantId: string, from: Date, to: Date) => Promise<Declines[]>
  /** Up to which event of the audit log everything is counted. */
  countedTo: () => Promise<number>
}

export function createReadTallies(database: Database): ReadTallies {
  return {
    byPeriod: async (merchantId, bounds) =>
      (await database.run(sumPeriods, toPeriodValues(merchantId, bounds)))
        .filter(({ period }) => period >= 0 && period < bounds.length - 1)
        .map((row) => ({ period: row.period, tallies: toTallies(row) })),
    byScheme: async (merchantId, from, to) =>
      (await database.run(sumSchemes, toStretchValues(merchantId, from, to))).map((row) => ({
        scheme: row.scheme,
        ...toTallies(row),
      })),
    declines: async (merchantId, from, to) =>
      (await database.run(sumDeclines, toStretchValues(merchantId, from, to))).map((row) => ({
        ...row,
        words: wordsOf(row.reason),
      })),
    countedTo: () => countedTo(database),
  }
}

const minuteOf = (moment: Date) => moment.getTime() / 60_000

function toPeriodValues(merchantId: string, moments: readonly Date[]) {
  const bounds = moments.map(minuteOf)
  return { merchant_id: merchantId, bounds, ...periodsBetween(bounds) }
}

function toStretchValues(merchantId: string, from: Date, to: Date) {
  const stretches = stretchesOf(minuteOf(from), minuteOf(to))
  return {
    merchant_id: merchantId,
    spans: stretches.map(({ spanMinutes }) => spanMinutes),
    from_minutes: stretches.map(({ fromMinute }) => fromMinute),
    to_minutes: stretches.map(({ toMinute }) => toMinute),
  }
}

function wordsOf(declineReason: DeclineReason): string {
  return refusalOf({ type: 'sale', outcome: 'declined', declineReason })?.message ?? declineReason
}

function toTallies(row: SumRow & { currency: string }): OfCurrency {
  return {
    currency: row.currency,
    authorised: { count: row.authorised_count, cents: row.authorised_cents },
    captured: { count: row.captured_count, cents: row.captured_cents },
    refunded: { count: row.refunded_count, cents: row.refunded_cents },
    cancelled: { count: row.cancelled_count, cents: row.cancelled_cents },
    declined: { count: row.declined_count, cents: row.declined_cents },
  }
}
