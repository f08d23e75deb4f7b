import { mkdirSync, readFileSync, rmSync, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { installDependencies } from './dependencies.mjs'
import { outputOf, run, tool, exitCodeOf } from './run.mjs'
import { useSupportedNode } from './supported-node.mjs'
import {
  failedFiles,
  playwrightResults,
  summaryOf,
  triedAgain,
  vitestResults,
  withoutFiles,
} from './test-results.mjs'

/** Whether Debian packages can be installed: as root on a Debian system. */
const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/**
 * Chromium's headless shell, which Playwright uses by default, too: a new page for each test takes a third of the time that it takes
 * in a full browser, and no test needs a window.
 */
const headlessShell = '/usr/bin/chromium-headless-shell'
const chromiumPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Programs that some tests need, their Debian packages, and which tests are skipped without them. */
const programs = [
  { path: '/usr/bin/softhsm2-util', debianPackage: 'softhsm2', use: 'keys in an HSM' },
  { path: '/usr/bin/faketime', debianPackage: 'faketime', use: 'clocks that are wrong' },
  { path: '/usr/bin/firefox-esr', debianPackage: 'firefox-esr', use: 'Firefox' },
  { path: '/usr/bin/WebKitWebDriver', debianPackage: 'webkit2gtk-driver', use: 'WebKit' },
  { path: '/usr/bin/Xvfb', debianPackage: 'xvfb', use: 'WebKit' },
]

/** Installs missing programs where possible, and says which tests are skipped. */
async function installTestPrograms() {
  const missing = () => programs.filter(({ path }) => !existsSync(path))
  const hasChromium = existsSync(headlessShell)
  if (mayInstall && !(hasChromium && missing().length === 0)) {
    await fromDebian('update')
    await installed(missing().map(({ debianPackage }) => debianPackage))
    if (!hasChromium) await installChromium()
  }
  for (const { path, debianPackage, use } of missing())
    console.log(`${path} is not there: ${use} is left out of the tests (Debian: ${debianPackage})`)
}

/** Older releases of Debian have no headless shell, only the full Chromium. */
async function installChromium() {
  try {
    await installed(['chromium-headless-shell', 'fonts-liberation'])
  } catch {
    if (!chromiumPaths.some((path) => existsSync(path))) await installed(['chromium', 'fonts-liberation'])
  }
}

async function installed(packages) {
  if (packages.length === 0) return
  console.log(`installing ${packages.join(', ')} …`)
  await fromDebian('install', '-y', '--no-install-recommends', ...packages)
}

function fromDebian(...parameters) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return run('apt-get', ['-qq', ...parameters], { env, stdio: 'ignore' })
}

/** The path of a Chromium: Debian's (the headless shell, if possible), or Playwright's own, which is installed if there is none. */
async function chromiumPath() {
  const { chromium } = await import('@playwright/test')
  const find = () =>
    [headlessShell, chromium.executablePath(), ...chromiumPaths].find((path) => existsSync(path))
  if (find() === undefined)
    await exitCodeOf('npx', ['playwright', 'install', 'chromium'], { stdio: 'ignore' })
  const found = find()
  if (found === undefined)
    throw new Error('no browser: install chromium, or run npx playwright install chromium')
  return found
}

/** Runs all checks and tests; needs only Node and npm. Its last line is `N passed, N failed`. */
const reports = 'e2e/results'
const total = { passed: 0, failed: [], skipped: 0, flaky: [] }

function add({ passed = 0, failed = [], skipped = 0, flaky = [] }) {
  total.passed += passed
  total.failed.push(...failed)
  total.skipped += skipped
  total.flaky.push(...flaky)
}

/**
 * What failed while all other work ran, which is tried once more at the end, alone: a busy or slow machine may have been why. What
 * passes then is listed as flaky.
 */
const again = []

/** Runs a command, prints its output once it has ended (others run beside it), and returns its exit code. */
async function show(name, command, parameters, options) {
  console.log(`… ${name}`)
  const begun = performance.now()
  const { code, output } = await outputOf(command, parameters, options)
  console.log(`\n— ${name} (${Math.round((performance.now() - begun) / 1000)} s)\n${output}`.trimEnd())
  return code
}

async function check(name, command, parameters, options) {
  const isGood = (await show(name, command, parameters, options)) === 0
  add(isGood ? { passed: 1 } : { failed: [name] })
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** A run of tests, and its report. An error outside of all tests has none that could be tried again. */
async function tests(name, { command, parameters, env = {}, report, failedIn }) {
  const code = await show(name, tool(command), parameters, { env: { ...process.env, ...env } })
  const found = read(report)
  if (code !== 0 && failedIn(found).length === 0) add({ failed: [`${name}: an error outside of its tests`] })
  return found
}

/** The parameters by which npm checks that a manifest and its lockfile agree. */
const compareLockfile = (...where) => ['ci', ...where, '--dry-run', '--ignore-scripts', '--loglevel=error']

/** Rules about the order of keys: ours follows what is read first. */
const withoutOrder = ['service-keys', 'services-alphabetical', 'top-level-properties'].map(
  (rule) => `--disable-rule=${rule}-order`,
)

/** Checks that need only the sources: a name and a command for each. */
const sourceChecks = [
  ['lint', tool('oxlint'), []],
  ['nothing unused', tool('knip'), ['--no-progress']],
  ['types', 'npm', ['run', '--silent', 'types']],
  ['walls and cycles', tool('depcruise'), ['src', 'demo', 'e2e', 'bench', 'proofs', 'attack']],
  ['lockfile', 'npm', compareLockfile()],
  ['lockfile of mutation testing', 'npm', compareLockfile('--prefix', 'scripts/mutation')],
  ['lockfile of the Bruno collection', 'npm', compareLockfile('--prefix', 'scripts/bruno')],
  ['format', tool('oxfmt'), ['--check']],
  ['Compose file', tool('dclint'), ['deploy/compose.yaml', '--max-warnings=0', ...withoutOrder]],
]

/** Checks that need the build. */
const buildChecks = [
  ['types of the npm package', tool('attw'), ['--pack', 'dist/npm', '--quiet']],
  ['types of the client', tool('attw'), ['--pack', 'dist/npm-server', '--profile', 'esm-only', '--quiet']],
  ['sizes', tool('size-limit'), []],
  ['npm package', tool('publint'), ['dist/npm', '--strict']],
  ['npm package of the client', tool('publint'), ['dist/npm-server', '--strict']],
]

/** Runs some of vitest's projects, by their names, with more parameters: files, or how many workers. */
function vitestRun(name, projects, more = []) {
  const report = `${reports}/${name}.json`
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const parameters = ['run', ...projects.map((project) => `--project=${project}`), ...reporters, ...more]
  return tests(name, { command: 'vitest', parameters, report, failedIn: failedFiles })
}

async function vitest(name, projects, more) {
  const found = await vitestRun(name, projects, more)
  const files = failedFiles(found)
  add(vitestResults(withoutFiles(found, files)))
  if (files.length === 0) return
  const { failed } = vitestResults(found)
  again.push(async () =>
    add(triedAgain(vitestResults(await vitestRun(`${name}, again`, projects, files)), failed)),
  )
}

const unitTests = () => vitest('service', ['service', 'service, isolated'])

function playwrightRun(name, browser, parameters = []) {
  const report = `${reports}/${name}.json`
  return tests(name, {
    command: 'playwright',
    parameters: ['test', '--reporter=list,json', ...parameters],
    env: { SVC_TEST_BROWSER: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    report,
    failedIn: (found) => playwrightResults(found).failed,
  })
}

async function browserTests(browser) {
  const name = 'end to end, in a browser'
  const first = playwrightResults(await playwrightRun(name, browser))
  add({ ...first, failed: [] })
  if (first.failed.length === 0) return
  again.push(async () => {
    const found = await playwrightRun(`${name}, again`, browser, ['--last-failed', '--workers=1'])
    add(triedAgain(playwrightResults(found), first.failed))
  })
}

/** The short form of each long run (docs/proofs.md): first those that mostly wait, then those that keep the processor busy. */
const shortProofs = [
  'clock',
  'background-jobs',
  'collection',
  'notifications',
  'authentications',
  'rolling',
  'crash',
  'races',
  'same-key',
  'rotation',
]

async function shortProof(proof, firstPort) {
  const env = { ...process.env, SVC_TEST_FIRST_PORT: String(firstPort) }
  const isRight = async (name) =>
    (await show(name, process.execPath, ['dist/proofs/proofs.js', proof, '--short'], { env })) === 0
  if (await isRight(proof)) return add({ passed: 1 })
  again.push(async () => add((await isRight(`${proof}, again`)) ? { flaky: [proof] } : { failed: [proof] }))
}

/** Work that any free lane takes, each item with its own ports. */
const waiting = [
  () => vitest('pages', ['browser', 'jsdom', 'node'], ['--maxWorkers=1']),
  () => vitest('attack', ['attack'], ['--maxWorkers=1']),
  ...shortProofs.map((proof) => (firstPort) => shortProof(proof, firstPort)),
  ...buildChecks.map((one) => () => check(...one)),
]

/** Runs the waiting work that no other lane has taken. */
async function takeWaiting(firstPort) {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next(firstPort)
}

/**
 * Two lanes in parallel: the tests of the service, then those in a browser, each with two workers; and all other work, one thing at a
 * time, so that neither processor is idle and no test waits long for one. Runs that measure time come last, alone.
 */
async function everything(browser) {
  const firstPort = Number(process.env.SVC_TEST_FIRST_PORT ?? '18080')
  const tested = unitTests().then(() => browserTests(browser))
  await Promise.all([tested.then(() => takeWaiting(firstPort + 200)), takeWaiting(firstPort + 100)])
  await shortProof('fairness', firstPort)
  for (const one of again) await one()
}

async function build() {
  await run(process.execPath, ['scripts/build.mjs'])
  await run(tool('vite'), ['build', '--mode', 'proofs', '--logLevel', 'warn'])
}

/**
 * The build keeps one processor busy, so the other runs the checks of sources meanwhile. The rest of these joins the waiting work.
 */
async function buildAndCheckSources() {
  let isBuilt = false
  const building = build().finally(() => (isBuilt = true))
  const checking = async () => {
    while (!isBuilt && sourceChecks.length > 0) await check(...sourceChecks.shift())
  }
  await Promise.all([building, checking()])
  waiting.push(...sourceChecks.map((one) => () => check(...one)))
}

await useSupportedNode()
process.chdir(resolve(import.meta.dirname, '..'))
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
// Both at once, as one of them mostly waits for the network and the disk.
await Promise.all([installTestPrograms(), installDependencies().then(buildAndCheckSources)])
const browser = await chromiumPath()
// It needs packages, which were not there before.
const { differencesFromReleased } = await import('./packaging/released.mjs')
add((await differencesFromReleased()).words === '' ? { passed: 1 } : { failed: ['kept release'] })
await everything(browser)
console.log(`\n${summaryOf(total)}`)
process.exit(total.failed.length === 0 ? 0 : 1)
