import { expect } from '@playwright/test'
import type { TestInfo } from '@playwright/test'

/** Whether all probes are done (`npm run probes`), or only some, as in the tests of every change. */
export const isLongForm = process.env['PROBES'] === 'all'

/** All rows of a table, or each fourth in the short form. */
export function rowsOf<Row>(table: readonly Row[]): readonly Row[] {
  return isLongForm ? table : table.filter((_, index) => index % 4 === 0)
}

/** Marks an annotation that holds the count of a row of probes. */
export const PROBES = 'probes'

/** One probe: what was done, what should come of it and what did. */
export interface Outcome {
  did: string
  expected: unknown
  found: unknown
}

/** Counts a row of probes for the table (`npm run probes`), and fails with all that came out otherwise than expected. */
export function reportProbes(info: TestInfo, row: string, outcomes: readonly Outcome[]): void {
  const wrong = outcomes.filter(({ expected, found }) => JSON.stringify(expected) !== JSON.stringify(found))
  const right = outcomes.length - wrong.length
  info.annotations.push({ type: PROBES, description: JSON.stringify([row, right, outcomes.length]) })
  expect.soft(wrong, row).toEqual([])
}
