import { existsSync } from 'node:fs'
import { run, exitCodeOf } from '../run.mjs'

/** Whether Debian packages can be installed: as root on a Debian system. */
export const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/** Installs Debian packages. Call it only if `mayInstall`. */
export async function installFromDebian(packages) {
  console.log(`installing ${packages.join(', ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-qq'], { env })
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    env,
    stdio: 'ignore',
  })
}

/** Installs a software token for the tests of keys in an HSM, or says that they are skipped. */
export async function installSoftHsm() {
  if (existsSync('/usr/bin/softhsm2-util')) return
  if (mayInstall) await installFromDebian(['softhsm2'])
  else console.log('SoftHSM2 is not there: keys in an HSM are left out of the tests (Debian: softhsm2)')
}

/**
 * Chromium's engine without the windows of a browser, and as such what Playwright takes by default: a page of its own for each
 * test costs a third of what it costs with them, and no test looks at a window.
 */
const headlessShell = '/usr/bin/chromium-headless-shell'
const chromiumPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Programs for tests with other browsers, and their Debian packages. */
const otherBrowsers = {
  '/usr/bin/firefox-esr': 'firefox-esr',
  '/usr/bin/WebKitWebDriver': 'webkit2gtk-driver',
  '/usr/bin/Xvfb': 'xvfb',
}

/** Older releases of Debian have Chromium with its windows only. */
async function installChromium() {
  try {
    await installFromDebian(['chromium-headless-shell', 'fonts-liberation'])
  } catch {
    if (!chromiumPaths.some((path) => existsSync(path)))
      await installFromDebian(['chromium', 'fonts-liberation'])
  }
}

/**
 * Returns the path of a Chromium, and installs one if there is none: Debian's without windows where possible, else
 * Playwright's own. Also installs Firefox and WebKit where possible; tests with a missing browser are skipped.
 */
export async function installBrowsers() {
  if (mayInstall && !existsSync(headlessShell)) await installChromium()
  const missing = Object.keys(otherBrowsers).filter((path) => !existsSync(path))
  if (mayInstall && missing.length > 0) await installFromDebian(missing.map((path) => otherBrowsers[path]))
  for (const path of Object.keys(otherBrowsers).filter((path) => !existsSync(path)))
    console.log(`${path} is not there: its browser is left out of the tests (Debian: ${otherBrowsers[path]})`)
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
