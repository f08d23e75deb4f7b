import { expect } from '@playwright/test'
import type { TestInfo } from '@playwright/test'

/** Whether all probes are done (`npm run probes`), or only some (`npm test`). */
export const isLongForm = process.env['PROBES'] === 'all'

/** All rows of a table, or every sixteenth in the short form. */
export function rowsOf<Row>(table: readonly Row[]): readonly Row[] {
  return isLongForm ? table : table.filter((_, index) => index % 16 === 0)
}

/** The type of an annotation with the count of a row of probes. */
export const PROBES = 'probes'

/** One probe: what was done, the expected result and the actual one. */
export interface Outcome {
  did: string
  expected: unknown
  found: unknown
}

/** Counts a row of probes for the table (`npm run probes`), and fails with all whose result was not as expected. */
export function reportProbes(info: TestInfo, row: string, outcomes: readonly Outcome[]): void {
  const wrong = outcomes.filter(({ expected, found }) => JSON.stringify(expected) !== JSON.stringify(found))
  const right = outcomes.length - wrong.length
  info.annotations.push({ type: PROBES, description: JSON.stringify([row, right, outcomes.length]) })
  expect.soft(wrong, row).toEqual([])
}
