import { existsSync } from 'node:fs'
import { run, exitCodeOf } from './run.mjs'

/** Whether this machine's packages are ours to install. */
export const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/** Installs packages of Debian; only where `mayInstall`. */
export async function installFromDebian(packages) {
  console.log(`installing ${packages.join(', ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-qq'], { env })
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    env,
    stdio: 'ignore',
  })
}

/** A token in software, for the tests of keys in an HSM; where it can't be had they are left out, and say so. */
export async function installSoftHsm() {
  if (existsSync('/usr/bin/softhsm2-util')) return
  if (mayInstall) await installFromDebian(['softhsm2'])
  else console.log('SoftHSM2 is not there: keys in an HSM are left out of the tests (Debian: softhsm2)')
}

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Debian's other browsers, by the programs that the tests look for, and the package of each. */
const others = {
  '/usr/bin/firefox-esr': 'firefox-esr',
  '/usr/bin/WebKitWebDriver': 'webkit2gtk-driver',
  '/usr/bin/Xvfb': 'xvfb',
}

/**
 * A Chromium for the tests, Playwright's own or the machine's; installs one where there is none. Firefox and
 * WebKit are tested with too where Debian's are there or can be installed.
 */
export async function installBrowsers() {
  const { chromium } = await import('@playwright/test')
  const find = () => [chromium.executablePath(), ...places].find((path) => existsSync(path))
  if (find() === undefined)
    await exitCodeOf('npx', ['playwright', 'install', 'chromium'], { stdio: 'ignore' })
  const missing = [
    ...(find() === undefined ? ['chromium', 'fonts-liberation'] : []),
    ...Object.keys(others).flatMap((path) => (existsSync(path) ? [] : [others[path]])),
  ]
  if (mayInstall && missing.length > 0) await installFromDebian(missing)
  for (const path of Object.keys(others).filter((path) => !existsSync(path)))
    console.log(`${path} is not there: its browser is left out of the tests (Debian: ${others[path]})`)
  const found = find()
  if (found === undefined)
    throw new Error('no browser: install chromium, or run npx playwright install chromium')
  return found
}
