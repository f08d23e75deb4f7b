import * as v from 'valibot'
import { asciiDigits } from '../../../card/digits.ts'
import { CHARGE_STATUSES } from '../../../contract/api/charges/charge-resource.ts'
import type { Metadata } from '../../../contract/api/fields/metadata.ts'
import { chargeFilterEntries } from '../../../contract/dashboard/payments/charge-list.ts'
import type { LISTED_STATUSES } from '../../../contract/dashboard/payments/charge-list.ts'
import type { Database } from '../../platform/database/database.ts'
import { invalidField } from '../../platform/errors.ts'
import { positionOf, toCursor } from '../../platform/listing/cursor.ts'
import type { Position } from '../../platform/listing/cursor.ts'
import { pageEntries, pageOf } from '../../platform/listing/page-query.ts'
import type { PageFilter, Window } from '../../platform/listing/page-query.ts'
import { findListed, pairOf, pairsOf } from './charge-store.ts'
import type { ListedCharge } from './charge-store.ts'
import type { Charge } from './charge.ts'
import { countMatches, countPairs, findBy, findIn, findPageIds } from './search-store.ts'
import type { ChargeFilter, Found, Lead, Matches, Range, Scope } from './search-store.ts'

/**
 * A page of a merchant's charges by the filters of the merchants' API, newest first, and the cursor of the next page; null on the last.
 * With metadata a page may be short: how many charges are looked at is bounded. Throws `validation_error` for `skip` with metadata.
 */
export async function listCharges(
  database: Database,
  merchantId: string,
  filter: PageFilter,
  metadata: Metadata = {},
): Promise<{ shown: Charge[]; next: string | null }> {
  const readPage = async (ids: readonly string[]) =>
    (await findListed(database, ids)).map(({ charge }) => charge)
  if (Object.keys(metadata).length === 0)
    return pageOf(filter, async (page) => readPage(await findPageIds(database, merchantId, page)))
  if (filter.skip > 0) throw invalidField('skip', 'does not go with metadata; go on by cursor')
  const { places, lookedTo } = await findByMetadata(database, merchantId, filter, metadata)
  const shown = await readPage(places.map(({ id }) => id))
  return { shown, next: lookedTo === null ? null : toCursor(lookedTo) }
}

/** By the reference where one is given, as that is rare; else by the text that the fewest charges have. */
async function findByMetadata(
  database: Database,
  merchantId: string,
  { reference, status, limit, ...window }: PageFilter,
  metadata: Metadata,
): Promise<Found> {
  const isOneOf = CHARGE_STATUSES.find((one) => one === status) ?? null
  const scope: Scope = { ...NO_FILTER, ...window, merchantId, beginning: null, status: isOneOf, metadata }
  const look = { limit, lookAt: BOUNDS.maxLookedAt }
  if (reference !== null)
    return findBy(database, status === null ? 'exactReference' : 'exactReferenceAndStatus', scope, {
      ...look,
      sought: reference,
    })
  const pairs = await countPairs(database, scope, pairsOf(metadata), BOUNDS.few)
  const [rarest] = pairs.toSorted((one, other) => one.count - other.count)
  return findBy(database, 'metadata', scope, { ...look, sought: String(rarest?.pair ?? 0) })
}

/** Which of a merchant's charges the dashboard asks for, newest first. */
export interface ChargeSearch extends Omit<ChargeFilter, 'status'>, Window {
  status: (typeof LISTED_STATUSES)[number] | null
  /** What was typed into the search; null: everything. */
  q: string | null
}

/** A page of a search, and the cursor of the next page; null on the last page, and only there. */
export async function searchCharges(
  database: Database,
  merchantId: string,
  search: ChargeSearch,
  limit: number,
): Promise<{ listed: ListedCharge[]; next: string | null }> {
  const { places, next } = await searchPlaces(database, merchantId, search, limit)
  const ids = places.map(({ id }) => id)
  return { listed: await findListed(database, ids), next: next === null ? null : toCursor(next) }
}

const { limit, cursor, 'created_at.from': from, 'created_at.to': to } = pageEntries
/** The filters of a search, for `GET /api/charges.csv` too. */
export const searchEntries = { ...chargeFilterEntries, 'created_at.from': from, 'created_at.to': to }

/** Query of `GET /api/charges`. */
export const SearchQuery = v.strictObject({ ...searchEntries, limit, cursor })

type Filters = v.InferOutput<v.StrictObjectSchema<typeof searchEntries, undefined>>

export function toSearch(query: Filters & { cursor?: string | undefined }): ChargeSearch {
  return {
    q: query.q ?? null,
    status: query.status ?? null,
    scheme: query.scheme ?? null,
    gatewayId: query.gateway_id ?? null,
    amountFrom: query['amount.from'] ?? null,
    amountTo: query['amount.to'] ?? null,
    from: query['created_at.from'] ?? null,
    to: query['created_at.to'] ?? null,
    after: positionOf(query.cursor ?? ''),
  }
}

/** How much one request may cost. */
interface Bounds {
  /** The most charges that one search reads before it stops and reports how far it got. */
  maxLookedAt: number
  /** A range with fewer charges is sorted whole; of a larger one the newest charges are filtered. */
  few: number
}
const BOUNDS: Bounds = { maxLookedAt: 2000, few: 1000 }

interface Looking {
  database: Database
  bounds: Bounds
  limit: number
}

/**
 * The places of the charges on a page, which may be short, and the place after which the next page begins; null on the last. The filter
 * that lets the fewest through chooses the index, and the others are checked on what it gives. So the cost of a request is bounded, however
 * many charges there are. Exception: if most cards end with the same digits, or most charges have one reference, a status is looked for in
 * the index, of which 1,000,000 entries take 0.1 s.
 */
export async function searchPlaces(
  database: Database,
  merchantId: string,
  { q, status, ...search }: ChargeSearch,
  limit: number,
  bounds = BOUNDS,
): Promise<{ places: readonly Position[]; next: Position | null }> {
  const look = { database, bounds, limit }
  const isUnknown = status === 'outcome_unknown'
  const found = await Promise.all(
    (isUnknown ? OPEN_STATUSES : [status]).map(async (one) => {
      const scope: Scope = { ...search, status: one, isUnknown, merchantId, beginning: null, metadata: null }
      return q === null ? [await findFiltered(look, scope)] : findText(look, scope, q)
    }),
  )
  return mergeFound(found.flat(), limit)
}

/** Of charges whose sale has no outcome yet. */
const OPEN_STATUSES = ['processing', 'pre_authentication_pending'] as const

/** The filters that are given. */
function givenIn(scope: Scope): (keyof Matches)[] {
  const equal = (['status', 'scheme', 'gatewayId'] as const).filter((name) => scope[name] !== null)
  const amounts = scope.amountFrom !== null || scope.amountTo !== null ? (['amounts'] as const) : []
  const beginning = scope.beginning !== null ? (['beginning'] as const) : []
  return [...equal, ...amounts, ...beginning]
}

async function findFiltered({ database, bounds, limit }: Looking, scope: Scope): Promise<Found> {
  const given = givenIn(scope)
  const [first] = given
  const by = (lead: Lead) => findBy(database, lead, scope, { limit, lookAt: bounds.maxLookedAt })
  if (first === undefined) return by('newest')
  if (given.length === 1 && !isRange(first)) return by(first)
  const counts = await countMatches(database, scope, bounds.few)
  const [fewest = first] = given.toSorted((one, other) => counts[one] - counts[other])
  if (counts[fewest] < bounds.few)
    return isRange(fewest) ? findIn(database, fewest, scope, limit) : by(fewest)
  if (scope.amountFrom !== null && scope.amountFrom === scope.amountTo) return by('amount')
  return by(given.find((name) => !isRange(name)) ?? 'newest')
}

function isRange(name: keyof Matches): name is Range {
  return name === 'amounts' || name === 'beginning'
}

/** Charges by what was typed: an id, the last four digits of a card or its name, an amount, an e-mail address, metadata, a reference. */
async function findText(looking: Looking, scope: Scope, q: string): Promise<Found[]> {
  const { database, bounds, limit } = looking
  const by = (lead: Lead, sought: string) =>
    findBy(database, lead, scope, { limit, lookAt: bounds.maxLookedAt, sought })
  const { id, last4, amount, email, transaction, cardName, pair, references } = soughtIn(q)
  const [byLast4, ofReference] =
    scope.status === null
      ? (['last4', 'reference'] as const)
      : (['last4AndStatus', 'referenceAndStatus'] as const)
  const byReference = async (reference: string) =>
    (await isReference(database, scope.merchantId, reference))
      ? by(ofReference, reference)
      : findFiltered(looking, { ...scope, beginning: reference.replace(/(?<=.)\*$/, '') })
  const byGiven = (lead: Lead, sought: string | null) => (sought === null ? [] : [by(lead, sought)])
  const byPair = ({ name, words }: { name: string; words: string }) =>
    findBy(
      database,
      'metadata',
      { ...scope, metadata: { [name]: words } },
      { limit, lookAt: bounds.maxLookedAt, sought: String(pairOf(name, words)) },
    )
  const isInRange =
    amount !== null && (scope.amountFrom ?? 0) <= amount && amount <= (scope.amountTo ?? Infinity)
  return Promise.all([
    ...byGiven('id', id),
    ...byGiven(byLast4, last4),
    ...(isInRange ? [findFiltered(looking, { ...scope, amountFrom: amount, amountTo: amount })] : []),
    ...byGiven('email', email),
    ...byGiven('transaction', transaction),
    ...byGiven('cardName', cardName),
    ...(pair === null ? [] : [byPair(pair)]),
    ...references.map(byReference),
  ])
}

/**
 * Whether a charge has exactly this reference; if none has, or it ends with `*`, it is searched for as the beginning of references. Asked
 * without the filters, so that the answer is the same for every page.
 */
async function isReference(database: Database, merchantId: string, reference: string): Promise<boolean> {
  const anything: Scope = {
    ...NO_FILTER,
    merchantId,
    beginning: null,
    metadata: null,
    from: null,
    to: null,
    after: null,
  }
  const { places } = await findBy(database, 'reference', anything, { sought: reference, limit: 1, lookAt: 1 })
  return places.length > 0
}

export const NO_FILTER: ChargeFilter = {
  status: null,
  scheme: null,
  gatewayId: null,
  amountFrom: null,
  amountTo: null,
}

/**
 * One page of what several searches have found, without duplicates. It ends where one of them has stopped looking, because what follows would
 * be incomplete; so a page may be short. `next`: the place after which the next page begins, null on the last.
 */
function mergeFound(
  found: readonly Found[],
  limit: number,
): { places: readonly Position[]; next: Position | null } {
  const ends = found.flatMap(({ lookedTo }) => (lookedTo === null ? [] : [lookedTo])).sort(newestFirst)
  const [end = null] = ends
  const all = new Map(found.flatMap(({ places }) => places).map((place) => [place.id, place]))
  const places = [...all.values()]
    .sort(newestFirst)
    .filter((place) => end === null || newestFirst(place, end) <= 0)
  if (places.length <= limit) return { places, next: end }
  const shown = places.slice(0, limit)
  return { places: shown, next: shown.at(-1) ?? null }
}

/** For sorting; below 0 if one comes before the other in a list. */
function newestFirst(one: Position, other: Position): number {
  const byTime = other.createdAt.getTime() - one.createdAt.getTime()
  if (byTime !== 0) return byTime
  return one.id === other.id ? 0 : one.id > other.id ? -1 : 1
}

/** What a search for charges may mean; a charge is found that fits any part. */
export interface Sought {
  /** The id of a charge, also within an address of the dashboard. */
  id: string | null
  /** The last four digits of a card. */
  last4: string | null
  /** In cents; typed with a currency or decimals: `A$120`, `1,200.50`, `120,00`. */
  amount: number | null
  /** A payer's e-mail address. */
  email: string | null
  /** The id of a transaction, ours or the gateway's, also within an address of the gateway's own pages. */
  transaction: string | null
  /** A whole name on a card. Upper and lower case are found alike. */
  cardName: string | null
  /** A text of metadata with its name: `order_id=A1` or `order_id: A1`. */
  pair: { name: string; words: string } | null
  /** A reference or its beginning, in the spellings of Unicode in which it may be stored. Upper and lower case are found alike. */
  references: readonly string[]
}

const ID = /(?<![0-9a-z])[0-9a-f]{24}(?![0-9a-z])/i
/** Gateways' ids have 16 letters and digits or more. A word has no digits. */
const TRANSACTION = /(?<![0-9a-z])(?=[a-z]*\d)[0-9a-z]{16,64}(?![0-9a-z])/i
const CARD_NAME = /^[\p{L}\p{M} .,'’-]{2,}$/u
/** Also as the merchants' API has it: `metadata[order_id]=A1`. */
const PAIR = /^(?:metadata(?:\.|(?=\[)))?\[?(?<name>[^=:[\]]{1,40}?)\]? ?[=:] ?(?<words>.{1,500})$/u
/** By themselves, or behind what stands for the other digits. */
const LAST4 =
  /^(\d{4})$|(?:[•*·●]+|\.{2,}|(?<![a-z])x{2,}|(?<!\S)x|\bend(?:ing|s)(?: in| with)?|\blast (?:4|four)(?: digits)?)[^\p{L}\d]{0,3}(\d{4})(?!\d)/iu
const EMAIL = /[^\s@<>"(),;:[\]]+@[^\s@<>"'(),;:[\]?/]*[^\s@<>"'(),;:[\]?/.]/
const CURRENCY = String.raw`(?:[a-z]{0,3}\p{Sc}|[a-z]{3})`
const AMOUNT = new RegExp(
  String.raw`^[-+]?(?<before>${CURRENCY})? ?(?<units>\d{1,3}(?:[ ,.']\d{3})+|\d{1,12})(?:[.,](?<cents>\d{2}))? ?(?<after>${CURRENCY})?$`,
  'iu',
)
/** What copying leaves around a text: quotes, brackets, and the end of a sentence. */
const AROUND = /^[\s"'“”„«»‘’`<([#]+|[\s"'“”„«»‘’`>)\],.;:!?]+$/g

/** What was typed or pasted into the search → what it may mean. */
export function soughtIn(typed: string): Sought {
  // Unseen characters come along when text is copied from messages and documents.
  const text = typed
    .replaceAll(/[\p{Cf}\p{Cc}]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(AROUND, '')
  const plain = inPlainCharacters(text)
  const last4 = LAST4.exec(plain)
  return {
    id: ID.exec(plain)?.[0].toLowerCase() ?? null,
    last4: last4?.[1] ?? last4?.[2] ?? null,
    amount: amountIn(plain),
    email: EMAIL.exec(plain)?.[0] ?? null,
    transaction: TRANSACTION.exec(plain)?.[0] ?? null,
    pair: pairIn(typed.trim()),
    cardName: CARD_NAME.test(text) ? text.normalize('NFC') : null,
    references: [...new Set([typed, text, text.normalize('NFC'), text.normalize('NFD'), plain])].filter(
      Boolean,
    ),
  }
}

/** Digits, dashes and apostrophes as a keyboard has them: programs for writing put others in their place. */
function inPlainCharacters(text: string): string {
  return asciiDigits(text.normalize('NFKC'))
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll(/[‘’]/g, "'")
}

function pairIn(text: string): Sought['pair'] {
  const { name, words } = PAIR.exec(text)?.groups ?? {}
  return name === undefined || words === undefined ? null : { name, words }
}

function amountIn(text: string): number | null {
  const { before, units = '', cents, after } = AMOUNT.exec(text)?.groups ?? {}
  if (cents === undefined && before === undefined && after === undefined) return null
  const amount = Number(units.replaceAll(/\D/g, '')) * 100 + Number(cents ?? 0)
  return amount > 0 && Number.isSafeInteger(amount) ? amount : null
}
