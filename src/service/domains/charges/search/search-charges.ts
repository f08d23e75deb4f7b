import type { Position } from '../../../platform/listing/cursor.ts'
import type { ChargeSearch } from './charge-filter.ts'
import { NO_FILTER } from './charge-filter.ts'
import { mergeFound } from './merge-found.ts'
import type { Found } from './merge-found.ts'
import { soughtIn } from './sought.ts'
import type { Lead, Range } from './search-sql.ts'
import type { Matches, Scope, SearchStore } from './search-store.ts'

/** A page of the places of a merchant's charges, and after which the next one begins: null on the last. It may be short. */
export type SearchCharges = (
  merchantId: string,
  search: ChargeSearch,
  limit: number,
) => Promise<{ places: readonly Position[]; next: Position | null }>

/** How much one request may cost. */
interface Bounds {
  /** The most charges that one search looks at before it stops and reports how far it got. */
  maxLookedAt: number
  /** A range with fewer charges is sorted whole; for a larger one the newest charges are filtered. */
  few: number
}
const BOUNDS: Bounds = { maxLookedAt: 2000, few: 1000 }

/**
 * Looks for charges. The filter that lets the fewest through chooses the index that is read, and the others are checked on what it
 * gives. So what one request costs is bounded, however many charges there are; but where most cards end with the same four digits, or most charges
 * have one reference, a status is looked for in the index, of which 1,000,000 entries take 0.1 s.
 */
export function createSearchCharges(store: SearchStore, bounds = BOUNDS): SearchCharges {
  return async (merchantId, { q, ...search }, limit) => {
    const scope: Scope = { ...search, merchantId, beginning: null }
    const look = { store, bounds, limit }
    return mergeFound(q === null ? [await findFiltered(look, scope)] : await findText(look, scope, q), limit)
  }
}

interface Looking {
  store: SearchStore
  bounds: Bounds
  limit: number
}

/** Which of its filters are given. */
function givenIn(scope: Scope): (keyof Matches)[] {
  const equal = (['status', 'scheme', 'gatewayId'] as const).filter((name) => scope[name] !== null)
  const amounts = scope.amountFrom !== null || scope.amountTo !== null ? (['amounts'] as const) : []
  const beginning = scope.beginning !== null ? (['beginning'] as const) : []
  return [...equal, ...amounts, ...beginning]
}

async function findFiltered({ store, bounds, limit }: Looking, scope: Scope): Promise<Found> {
  const given = givenIn(scope)
  const [first] = given
  const by = (lead: Lead) => store.findBy(lead, scope, { limit, lookAt: bounds.maxLookedAt })
  if (first === undefined) return by('newest')
  if (given.length === 1 && !isRange(first)) return by(first)
  const counts = await store.count(scope, bounds.few)
  const [fewest = first] = given.toSorted((one, other) => counts[one] - counts[other])
  if (counts[fewest] < bounds.few) return isRange(fewest) ? store.findIn(fewest, scope, limit) : by(fewest)
  if (scope.amountFrom !== null && scope.amountFrom === scope.amountTo) return by('amount')
  return by(given.find((name) => !isRange(name)) ?? 'newest')
}

function isRange(name: keyof Matches): name is Range {
  return name === 'amounts' || name === 'beginning'
}

/** Charges by what was typed: an id, the last four digits of a card or its name, an amount, an e-mail address, a reference. */
async function findText(looking: Looking, scope: Scope, q: string): Promise<Found[]> {
  const { store, bounds, limit } = looking
  const by = (lead: Lead, sought: string) =>
    store.findBy(lead, scope, { limit, lookAt: bounds.maxLookedAt, sought })
  const { id, last4, amount, email, transaction, cardName, references } = soughtIn(q)
  const hasStatus = scope.status !== null
  const byReference = async (reference: string) =>
    (await isReference(store, scope.merchantId, reference))
      ? by(hasStatus ? 'referenceAndStatus' : 'reference', reference)
      : findFiltered(looking, { ...scope, beginning: reference.replace(/(?<=.)\*$/, '') })
  const isInRange =
    amount !== null && (scope.amountFrom ?? 0) <= amount && amount <= (scope.amountTo ?? Infinity)
  return Promise.all([
    ...(id === null ? [] : [by('id', id)]),
    ...(last4 === null ? [] : [by(hasStatus ? 'last4AndStatus' : 'last4', last4)]),
    ...(isInRange ? [findFiltered(looking, { ...scope, amountFrom: amount, amountTo: amount })] : []),
    ...(email === null ? [] : [by('email', email)]),
    ...(transaction === null ? [] : [by('transaction', transaction)]),
    ...(cardName === null ? [] : [by('cardName', cardName)]),
    ...references.map(byReference),
  ])
}

/** Whether a charge has this whole reference. Otherwise, or with `*` at its end, it is how references begin. Asked without the filters, so that every page of a list answers the same. */
async function isReference(store: SearchStore, merchantId: string, reference: string): Promise<boolean> {
  const anything: Scope = { ...NO_FILTER, merchantId, beginning: null, from: null, to: null, after: null }
  const { places } = await store.findBy('reference', anything, { sought: reference, limit: 1, lookAt: 1 })
  return places.length > 0
}
