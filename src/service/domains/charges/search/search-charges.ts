import type { Position } from '../../../platform/listing/cursor.ts'
import type { ChargeSearch } from './charge-filter.ts'
import { NO_FILTER } from './charge-filter.ts'
import { mergeFound } from './search-page.ts'
import type { Found } from './search-page.ts'
import type { Lead, Range } from './search-sql.ts'
import type { Matches, Scope, SearchStore } from './search-store.ts'

/** A page of the places of a merchant's charges, and after which the next one begins: null on the last. It may be short. */
export type SearchCharges = (
  merchantId: string,
  search: ChargeSearch,
  limit: number,
) => Promise<{ places: readonly Position[]; next: Position | null }>

/** Charges that one way of looking looks at before it stops, and says how far it has come. */
const MOST_LOOKED_AT = 5000
/** A range with fewer charges is put in order whole; that of a range with more is found by looking through what is newest. */
const FEW = 3000

/**
 * Looks for charges. The filter that lets the fewest through chooses the index that is read, and the others are checked on what it
 * gives. So what one request costs is bounded, however many charges there are.
 */
export function createSearchCharges(store: SearchStore): SearchCharges {
  return async (merchantId, { q, ...search }, limit) => {
    const scope: Scope = { ...search, merchantId, beginning: null }
    const found = q === null ? [await findFiltered(store, scope, limit)] : await findText(store, scope, q, limit)
    return mergeFound(found, limit)
  }
}

/** Which of its filters are given. */
function givenIn(scope: Scope): (keyof Matches)[] {
  const equal = (['status', 'scheme', 'gatewayId'] as const).filter((name) => scope[name] !== null)
  const amounts = scope.amountFrom !== null || scope.amountTo !== null ? (['amounts'] as const) : []
  const beginning = scope.beginning !== null ? (['beginning'] as const) : []
  return [...equal, ...amounts, ...beginning]
}

async function findFiltered(store: SearchStore, scope: Scope, limit: number): Promise<Found> {
  const given = givenIn(scope)
  const [first] = given
  const by = (lead: Lead) => store.findBy(lead, scope, { limit, lookAt: MOST_LOOKED_AT })
  if (first === undefined) return by('newest')
  if (given.length === 1 && !isRange(first)) return by(first)
  const counts = await store.count(scope, FEW)
  const [fewest = first] = given.toSorted((one, other) => counts[one] - counts[other])
  if (counts[fewest] < FEW) return isRange(fewest) ? store.findIn(fewest, scope, limit) : by(fewest)
  if (scope.amountFrom !== null && scope.amountFrom === scope.amountTo) return by('amount')
  return by(given.find((name) => !isRange(name)) ?? 'newest')
}

function isRange(name: keyof Matches): name is Range {
  return name === 'amounts' || name === 'beginning'
}

const ID = /^[0-9a-f]{24}$/
const FOUR_DIGITS = /^\d{4}$/

/** Charges by what was typed: an id, the last four digits of a card, a reference; else, or with `*` at its end, how references begin. */
async function findText(store: SearchStore, scope: Scope, q: string, limit: number): Promise<Found[]> {
  const look = { limit, lookAt: MOST_LOOKED_AT }
  const by = (lead: Lead, sought: string) => store.findBy(lead, scope, { ...look, sought })
  const isWhole = await isReference(store, scope.merchantId, q)
  return Promise.all([
    ...(ID.test(q) ? [by('id', q)] : []),
    ...(FOUR_DIGITS.test(q) ? [by('last4', q)] : []),
    isWhole
      ? by('reference', q)
      : findFiltered(store, { ...scope, beginning: q.replace(/(?<=.)\*$/, '') }, limit),
  ])
}

/** Whether a charge has exactly this reference. Asked without the filters, so that every page of a list answers the same. */
async function isReference(store: SearchStore, merchantId: string, reference: string): Promise<boolean> {
  const anything: Scope = { ...NO_FILTER, merchantId, beginning: null, from: null, to: null, after: null }
  const { places } = await store.findBy('reference', anything, { sought: reference, limit: 1, lookAt: 1 })
  return places.length > 0
}
