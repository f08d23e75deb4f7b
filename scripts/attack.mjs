import { startVitest } from 'vitest/node'
import { installDependencies } from './dependencies.mjs'

/** Runs every table of attacks in its long form: `npm run attack [-- raw-http]`. At the end it prints what each sent and how it was answered. */
await installDependencies()
process.env.ATTACK = 'full'
const rows = []

/** Collects the counts of the tests (attack/counted.ts). */
const counts = {
  onTestCaseResult(test) {
    const { attack } = test.meta()
    if (attack === undefined) return
    const answers = Object.entries(attack.answers)
    rows.push({
      attack: test.fullName,
      cases: attack.cases,
      answers: answers.map(([answer, times]) => `${answer} × ${times}`).join(', '),
      state: test.result().state,
    })
  },
}

const asked = process.argv.slice(2)
const vitest = await startVitest(
  'test',
  asked.length === 0 ? ['attack/'] : asked.map((name) => `attack/${name}`),
  {
    run: true,
    watch: false,
    project: ['service'],
    reporters: ['dot', counts],
  },
)
console.table(rows)
console.log(`${rows.reduce((sum, { cases }) => sum + cases, 0)} attacks`)
await vitest.close()
