import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { installBrowsers, installFromDebian, mayInstall, installSoftHsm } from './test-programs.mjs'
import { installDependencies } from './dependencies.mjs'
import { differencesFromReleased } from './released.mjs'
import { exitCodeOf, run } from './run.mjs'

/** Everything that must hold, from nothing but Node and npm; closes with `N passed, N failed`. */
const results = 'e2e/results'
const count = { passed: 0, failed: 0, skipped: 0 }

async function check(name, command, parameters, options) {
  console.log(`\n— ${name}`)
  const code = await exitCodeOf(command, parameters, options)
  count[code === 0 ? 'passed' : 'failed'] += 1
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** As long together as lint by itself. */
async function otherChecks() {
  await check('lockfile', 'npm', ['ci', '--dry-run', '--ignore-scripts', '--loglevel=error'])
  await check('types', 'npx', ['tsc', '--noEmit'])
  await check('walls and cycles', 'npx', ['depcruise', 'src', 'demo', 'e2e', 'bench', 'proofs', 'attack'])
  await check('nothing unused', 'npx', ['knip', '--no-progress'])
  await check('sizes', 'npx', ['size-limit'])
  await check('npm package', 'npx', ['publint', 'dist/npm', '--strict'])
  await check('types of the npm package', 'npx', ['attw', '--pack', 'dist/npm', '--quiet'])
  await check('format', 'npx', ['prettier', '--check', '.', '--log-level', 'warn'])
}

async function unitTests() {
  console.log('\n— unit and service tests')
  const file = `${results}/unit.json`
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await exitCodeOf('npx', ['vitest', 'run', ...reporters])
  const report = read(file)
  count.passed += report?.numPassedTests ?? 0
  count.failed += report?.numFailedTests ?? 0
  count.skipped += report?.numPendingTests ?? 0
  if (code !== 0 && !report?.numFailedTests) count.failed += 1
}

async function browserTests(browser) {
  console.log('\n— end to end, in a browser')
  const file = `${results}/e2e.json`
  const env = { ...process.env, SVC_TEST_BROWSER: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: file }
  const code = await exitCodeOf('npx', ['playwright', 'test', '--reporter=list,json'], { env })
  const stats = read(file)?.stats
  count.passed += (stats?.expected ?? 0) + (stats?.flaky ?? 0)
  count.failed += stats?.unexpected ?? 0
  count.skipped += stats?.skipped ?? 0
  if (code !== 0 && !stats?.unexpected) count.failed += 1
}

/**
 * A taste of each long run (docs/proofs.md): beside those that work without a pause, those that mostly wait; at last by
 * itself the one that measures how long something takes.
 */
const proofs = {
  busy: [['crash'], ['crash', '--server'], ['crash', '--postgres'], ['races'], ['same-key']],
  waiting: [['clock'], ['clock', '--database'], ['chores'], ['two-containers'], ['rotation']],
  timed: [['fairness']],
}

async function shortProofs() {
  // For the proof `clock`, which sets the clock of processes; it says so where it can't.
  if (mayInstall && !existsSync('/usr/bin/faketime')) await installFromDebian(['faketime'])
  await run('npx', ['vite', 'build', '--mode', 'proofs', '--logLevel', 'warn'])
  const runEach = async (lane, firstPort) => {
    const env = { ...process.env, SVC_TEST_FIRST_PORT: String(firstPort) }
    for (const proof of lane)
      await check(proof.join(' '), process.execPath, ['dist/proofs/proofs.js', ...proof, '--short'], { env })
  }
  const firstPort = Number(process.env.SVC_TEST_FIRST_PORT ?? '48080')
  await Promise.all([runEach(proofs.busy, firstPort), runEach(proofs.waiting, firstPort + 100)])
  await runEach(proofs.timed, firstPort)
}

process.chdir(resolve(import.meta.dirname, '..'))
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
await installDependencies()
await installSoftHsm()
const browser = await installBrowsers()
await run(process.execPath, ['scripts/build.mjs'])
count[(await differencesFromReleased()).words === '' ? 'passed' : 'failed'] += 1
await Promise.all([check('lint', 'npx', ['eslint', '.', '--max-warnings=0']), otherChecks()])
await unitTests()
await browserTests(browser)
await shortProofs()
console.log(
  `\n${count.passed} passed, ${count.failed} failed${count.skipped > 0 ? `, ${count.skipped} skipped` : ''}`,
)
process.exit(count.failed === 0 ? 0 : 1)
