import type { Database } from '../../../platform/database/database.ts'
import { toCursor } from '../../../platform/listing/cursor.ts'
import { toCharges } from '../statements/charge-row.ts'
import { findCharges } from '../statements/charge-sql.ts'
import type { Charge } from '../charge.ts'
import type { ChargeSearch } from './charge-filter.ts'
import { createSearchCharges } from './search-charges.ts'
import { createSearchStore } from './search-store.ts'

/** A charge as it is listed. */
export interface ListedCharge {
  charge: Charge
  /** When its funds go back by themselves; null unless they are held. */
  holdEndsAt: Date | null
}

/** A page of a merchant's charges, newest first, and the cursor of the next one: null on the last, and nowhere else. */
export type ListCharges = (
  merchantId: string,
  search: ChargeSearch,
  limit: number,
) => Promise<{ listed: ListedCharge[]; next: string | null }>

export function createListCharges(database: Database): ListCharges {
  const find = createSearchCharges(createSearchStore(database))
  return async (merchantId, search, limit) => {
    const { places, next } = await find(merchantId, search, limit)
    const listed =
      places.length === 0
        ? []
        : await listedOf(
            database,
            places.map(({ id }) => id),
          )
    return { listed, next: next === null ? null : toCursor(next) }
  }
}

/** Charges by their ids, newest first. */
export async function listedOf(database: Database, ids: readonly string[]): Promise<ListedCharge[]> {
  const rows = await database.run(findCharges, { ids })
  const ends = new Map(rows.map((row) => [row.id, row.hold_expires_at]))
  return toCharges(rows).map((charge) => ({
    charge,
    holdEndsAt: charge.status === 'pending' ? (ends.get(charge.id) ?? null) : null,
  }))
}
