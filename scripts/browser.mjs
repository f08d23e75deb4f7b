import { existsSync } from 'node:fs'
import { installFromDebian, mayInstall } from './debian.mjs'
import { exitCodeOf } from './run.mjs'

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
