import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MEASURING, startCluster, fillTo } from './filled.ts'
import { measureLists } from './lists.ts'
import type { Bed, Lists } from './lists.ts'
import { measurePairs } from './pairs.ts'
import type { Compared } from './pairs.ts'

type Say = (line: string) => void

/** What was measured at one size; null where it was not asked for. */
interface Step {
  charges: number
  lists: Lists | null
  pairs: Compared | null
}

/**
 * How fast reads and charges are as the tables grow. It fills a cluster step by step (`--steps`, `--charges` the last) with a year of
 * charges of 1,000 merchants, of which one has half, and measures at each step what `--only` names (`fill`, `lists`, `pairs`, `pgbench`,
 * `plans`). With `--data FOLDER` the cluster is kept there and may be measured again.
 */
export async function benchGrowth(say: Say, parameters: string[]): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: {
      charges: { type: 'string', default: '10000000' },
      steps: { type: 'string', default: '1000000,3000000' },
      data: { type: 'string' },
      only: { type: 'string', default: 'lists,pairs' },
    },
  })
  const folder = values.data ?? mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const only = values.only.split(',')
  const last = Number(values.charges)
  const sizes = [
    ...values.steps
      .split(',')
      .filter(Boolean)
      .map(Number)
      .filter((size) => size < last),
    last,
  ]
  const steps: Step[] = []
  for (const size of sizes) {
    const { charges, filled } = await fillTo(folder, size, say)
    // A cluster that was kept may have more than was asked for.
    if (charges > size) continue
    say(`\n${String(charges)} charges; load of the machine ${loadavg()[0]?.toFixed(1) ?? ''}`)
    const server = await startCluster(folder, MEASURING, say)
    try {
      const bed = { folder, connectionString: server.connectionString, filled }
      steps.push({ charges, ...(await measure(bed, only, say)) })
    } finally {
      await server.stop()
    }
  }
  tell(steps, say)
  if (values.data === undefined) rmSync(folder, { recursive: true })
}

async function measure(bed: Bed, only: readonly string[], say: Say): Promise<Omit<Step, 'charges'>> {
  const lists = only.includes('lists') ? await measureLists(bed, say) : null
  const pairs = only.includes('pairs') ? await measurePairs(bed, 'service', say) : null
  if (only.includes('pgbench')) await measurePairs(bed, 'pgbench', say)
  if (only.includes('plans')) measurePlans(bed, say)
  return { lists, pairs }
}

/** Runs the test of plans on the filled database: it asks for the plan of each statement of the service. */
function measurePlans({ connectionString }: Bed, say: Say): void {
  const program = ['node_modules/vitest/vitest.mjs', 'run', 'src/service/plans.test.ts']
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    env: { ...process.env, PLANS_OF: connectionString },
    encoding: 'utf8',
  })
  say(status === 0 ? 'plans: every statement keeps to its indexes' : stdout + stderr)
}

function tell(steps: readonly Step[], say: Say): void {
  say(
    '\n   charges   lists: highest p95 of half, of a small one (ms)   pairs a second   on empty tables   ratio',
  )
  for (const { charges, lists, pairs } of steps)
    say(
      [
        String(charges).padStart(10),
        [lists?.half, lists?.small].map((ms) => (ms?.highest ?? NaN).toFixed(1).padStart(12)).join(''),
        [pairs?.one, pairs?.other].map((pace) => (pace ?? NaN).toFixed(0).padStart(12)).join(''),
        (pairs?.ratio ?? NaN).toFixed(3).padStart(12),
      ].join(''),
    )
}
