import type { Database } from '../../../platform/database/database.ts'
import { toPageValues, toWindowValues } from '../../../platform/listing/page-query.ts'
import type { PageFilter, Window } from '../../../platform/listing/page-query.ts'
import type { ChargeFilter } from './charge-filter.ts'
import type { Found } from './merge-found.ts'
import { countMatches, finds, rangeFinds } from './search-sql.ts'
import type { FilterValues, Lead, Place, Range } from './search-sql.ts'

/** Which charges may be found. */
export interface Scope extends ChargeFilter, Window {
  merchantId: string
  /** How their reference has to begin; null: in any way. */
  beginning: string | null
}

interface Look {
  /** What is looked for, by the leads of these names. */
  sought?: string
  /** Places that are wanted. */
  limit: number
  /** Charges that are looked at, at most. */
  lookAt: number
}

/** How many charges each filter alone lets through; 0 where it is not given. */
export type Matches = Readonly<Record<'status' | 'scheme' | 'gatewayId' | Range, number>>

/** Finding charges in SQL. */
export interface SearchStore {
  findBy: (lead: Lead, scope: Scope, look: Look) => Promise<Found>
  /** Looks at every charge of the range. */
  findIn: (range: Range, scope: Scope, limit: number) => Promise<Found>
  /** Counts up to `most`. */
  count: (scope: Scope, most: number) => Promise<Matches>
  /** Ids of a page of the merchants' API, which looks at as many charges as it takes. */
  pageIds: (merchantId: string, filter: PageFilter) => Promise<string[]>
}

export function createSearchStore(database: Database): SearchStore {
  return {
    async findBy(lead, scope, { sought = null, limit, lookAt }) {
      const values = { ...toValues(scope), sought, looked_at: lookAt }
      const rows = await database.run(finds[lead], { ...values, limit: limit + 1, skip: 0 })
      if (rows.length > limit) return toFound(rows, limit)
      // The last charge that was looked at is where the next page begins; there is none when everything was looked at.
      const last = { ...values, ...otherFiltersOff(lead), limit: 1, skip: lookAt - 1 }
      const [end] = await database.run(finds[lead], last)
      return { places: rows.map(toPlace), lookedTo: end === undefined ? null : toPlace(end) }
    },
    async findIn(range, scope, limit) {
      const rows = await database.run(rangeFinds[range], { ...toRangeValues(scope), limit: limit + 1 })
      return toFound(rows, limit)
    },
    async count(scope, most) {
      const [row] = await database.run(countMatches, { ...toRangeValues(scope), most })
      if (row === undefined) throw new Error('nothing was counted')
      const { gateway_id: gatewayId, ...counts } = row
      return { ...counts, gatewayId }
    },
    async pageIds(merchantId, filter) {
      const { reference: sought, ...page } = toPageValues(filter)
      const lead = leadOf(sought !== null, page.status !== null)
      const values = { ...NOTHING_ELSE, merchant_id: merchantId, ...page, sought, looked_at: null }
      return (await database.run(finds[lead], values)).map(({ id }) => id)
    },
  }
}

function leadOf(hasReference: boolean, hasStatus: boolean): Lead {
  if (hasReference) return hasStatus ? 'exactReferenceAndStatus' : 'exactReference'
  return hasStatus ? 'status' : 'newest'
}

const NOTHING_ELSE = {
  status: null,
  scheme: null,
  gateway_id: null,
  amount_from: null,
  amount_to: null,
  reference_from: null,
  reference_before: null,
}

const LEADS_WITH_STATUS: ReadonlySet<Lead> = new Set(['status', 'last4AndStatus', 'referenceAndStatus'])

/** Turns off all filters but the one that the lead itself searches by. */
function otherFiltersOff(lead: Lead): Partial<typeof NOTHING_ELSE> {
  const { status, scheme, gateway_id, amount_from, ...others } = NOTHING_ELSE
  return {
    ...others,
    ...(!LEADS_WITH_STATUS.has(lead) && { status }),
    ...(lead !== 'scheme' && { scheme }),
    ...(lead !== 'gatewayId' && { gateway_id }),
    ...(lead !== 'amount' && { amount_from }),
  }
}

/** Sorts after every character of a reference. */
const LAST_CHARACTER = '\u{10ffff}'

function toValues({ merchantId, beginning, ...scope }: Scope): FilterValues {
  return {
    merchant_id: merchantId,
    ...toWindowValues(scope),
    status: scope.status,
    scheme: scope.scheme,
    gateway_id: scope.gatewayId,
    amount_from: scope.amountFrom,
    amount_to: scope.amountTo,
    reference_from: beginning,
    reference_before: beginning === null ? null : beginning + LAST_CHARACTER,
  }
}

/** Both ends of a range of amounts, where one is given. */
function toRangeValues(scope: Scope): FilterValues {
  const values = toValues(scope)
  const isRange = scope.amountFrom !== null || scope.amountTo !== null
  return isRange
    ? { ...values, amount_from: scope.amountFrom ?? 0, amount_to: scope.amountTo ?? Number.MAX_SAFE_INTEGER }
    : values
}

function toFound(rows: readonly Place[], limit: number): Found {
  const places = rows.slice(0, limit).map(toPlace)
  return { places, lookedTo: rows.length > limit ? (places.at(-1) ?? null) : null }
}

function toPlace({ id, created_at: createdAt }: Place): Found['places'][number] {
  return { id, createdAt }
}
