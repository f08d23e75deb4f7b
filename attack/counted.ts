import type { TestContext } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** What a table of attacks sent, for the counts at the end of `npm run attack`. */
    attack?: AttackCount
  }
}

export interface AttackCount {
  cases: number
  /** How often each answer came: HTTP statuses, or other words for what happened. */
  answers: Record<string, number>
}

/** Notes how many cases a test tried and what answered them; an empty table is a fault of the table. */
export function countAttack(
  { task }: Pick<TestContext, 'task'>,
  outcomes: readonly (string | number)[],
): void {
  if (outcomes.length === 0) throw new Error('this table tried nothing')
  const answers: Record<string, number> = {}
  for (const outcome of outcomes) answers[String(outcome)] = (answers[String(outcome)] ?? 0) + 1
  task.meta.attack = { cases: outcomes.length, answers }
}
