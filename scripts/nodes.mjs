import { resolve } from 'node:path'
import { exitCodeOf } from './run.mjs'

/**
 * Runs the unit and service tests on the supported versions of Node that `npm test` does not use (`npm run nodes`), or on one (`npm run nodes -- 24`).
 * The programs come from npm's package `node`.
 */
const SUPPORTED = ['22', '26']
const TESTS = ['node', 'service', 'service, isolated', 'browser'].flatMap((project) => ['--project', project])

process.chdir(resolve(import.meta.dirname, '..'))
const asked = process.argv.slice(2)
const failed = []
for (const version of asked.length === 0 ? SUPPORTED : asked) {
  console.log(`\nNode ${version}`)
  const vitest = ['node', 'node_modules/vitest/vitest.mjs', 'run', '--reporter=agent', ...TESTS]
  const code = await exitCodeOf('npx', ['--yes', '--package', `node@${version}`, '--', ...vitest])
  if (code !== 0) failed.push(version)
}
console.log(failed.length === 0 ? '\nall passed' : `\nfailed on Node ${failed.join(' and ')}`)
process.exit(failed.length === 0 ? 0 : 1)
