import type { Position } from '../../../platform/listing/cursor.ts'

/** The result of one search, newest first. */
export interface Found {
  places: readonly Position[]
  /** Where the search stopped: there may be more beyond. Null when it has looked at everything. */
  lookedTo: Position | null
}

/** A page, and after which place the next one begins; null on the last. */
interface Page {
  places: readonly Position[]
  next: Position | null
}

/**
 * One page of what several searches have found, without duplicates. It ends where one of the searches has stopped looking, as
 * results beyond that place would be incomplete; so a page may be short.
 */
export function mergeFound(found: readonly Found[], limit: number): Page {
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

/** Below 0 when one place comes before the other in a list. */
function newestFirst(one: Position, other: Position): number {
  const byTime = other.createdAt.getTime() - one.createdAt.getTime()
  if (byTime !== 0) return byTime
  return one.id === other.id ? 0 : one.id > other.id ? -1 : 1
}
