import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import * as v from 'valibot'

const Latencies = v.object({ median: v.number(), highest: v.number() })
const Step = v.object({
  charges: v.number(),
  lists: v.nullable(v.object({ half: Latencies, small: Latencies })),
  pairs: v.nullable(v.object({ one: v.number(), other: v.number(), ratio: v.number() })),
})
const Steps = v.array(Step)

/** What was measured at one size. */
export type Step = v.InferOutput<typeof Step>

/** Earlier figures of kept clusters; none where the file does not exist. */
function readSteps(file: string): Step[] {
  return existsSync(file) ? v.parse(Steps, JSON.parse(readFileSync(file, 'utf8'))) : []
}

/** Adds the new figures to the file; what was not measured this time keeps its old ones. */
export function writeSteps(file: string, measured: readonly Step[]): Step[] {
  const steps = new Map(readSteps(file).map((step) => [step.charges, step]))
  for (const step of measured) {
    const before = steps.get(step.charges)
    steps.set(step.charges, {
      charges: step.charges,
      lists: step.lists ?? before?.lists ?? null,
      pairs: step.pairs ?? before?.pairs ?? null,
    })
  }
  const sorted = [...steps.values()].toSorted((one, other) => one.charges - other.charges)
  writeFileSync(file, JSON.stringify(sorted))
  return sorted
}
