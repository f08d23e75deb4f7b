import { spawnSync } from 'node:child_process'
import type { Bed } from './lists.ts'

/** Has the test of plans ask the filled database for the plan of each statement of the service. */
export function measurePlans({ connectionString }: Bed, say: (line: string) => void): void {
  const program = ['node_modules/vitest/vitest.mjs', 'run', 'src/service/plans.test.ts']
  const { status, stdout } = spawnSync(process.execPath, program, {
    env: { ...process.env, PLANS_OF: connectionString },
    encoding: 'utf8',
  })
  say(status === 0 ? 'plans: every statement keeps to its indexes' : stdout)
}
