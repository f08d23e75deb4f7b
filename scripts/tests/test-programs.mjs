import { existsSync } from 'node:fs'
import { run, exitCodeOf } from '../run.mjs'

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
  { path: '/usr/bin/go', debianPackage: 'golang-go', use: 'the Helm chart' },
  {
    path: '/usr/share/gocode/src/github.com/Masterminds/sprig',
    debianPackage: 'golang-github-masterminds-sprig-dev',
    use: 'the Helm chart',
  },
  {
    path: '/usr/share/gocode/src/sigs.k8s.io/yaml',
    debianPackage: 'golang-k8s-sigs-yaml-dev',
    use: 'the Helm chart',
  },
]

/** Installs missing programs where possible, and says which tests are skipped. */
export async function installTestPrograms() {
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
export async function chromiumPath() {
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
