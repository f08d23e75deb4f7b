import { MAX_COUNTED, MAX_SHOWN } from '../../../contract/dashboard/overview.ts'
import type { NeedsAttention } from '../../../contract/dashboard/overview.ts'

type Item = NeedsAttention['items'][number]

/** Finds what needs attention at a merchant, in one domain. */
export type FindNeeds = (merchantId: string) => Promise<NeedsAttention[]>

/** How many rows are read to count: one more than is reported, to tell whether there are more. */
export const MAX_READ = MAX_COUNTED + 1

/** One kind of need, in rows of which the most urgent is first, out of so many that were found; none when there are no rows. */
export function toNeeds<Row>(
  rows: readonly Row[],
  need: Pick<NeedsAttention, 'kind' | 'target'>,
  toItem: (row: Row) => Omit<Item, 'at'> & { at: Date },
  found = rows.length,
): NeedsAttention[] {
  if (rows.length === 0) return []
  const items = rows.slice(0, MAX_SHOWN).map((row) => {
    const item = toItem(row)
    return { ...item, at: item.at.toISOString() }
  })
  return [{ ...need, count: Math.min(found, MAX_COUNTED), is_more: found > MAX_COUNTED, items }]
}
