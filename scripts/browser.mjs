import { existsSync } from 'node:fs'
import { exitCodeOf, run } from './run.mjs'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const firefox = '/usr/bin/firefox-esr'
const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/**
 * A Chromium for the tests, Playwright's own or the machine's; installs one where there is none. Firefox is tested with
 * too where Debian's is there or can be installed.
 */
export async function installBrowsers() {
  const { chromium } = await import('@playwright/test')
  const find = () => [chromium.executablePath(), ...places].find((path) => existsSync(path))
  if (find() === undefined)
    await exitCodeOf('npx', ['playwright', 'install', 'chromium'], { stdio: 'ignore' })
  const missing = [
    ...(find() === undefined ? ['chromium', 'fonts-liberation'] : []),
    ...(existsSync(firefox) ? [] : ['firefox-esr']),
  ]
  if (mayInstall && missing.length > 0) await installFromDebian(missing)
  const found = find()
  if (found === undefined)
    throw new Error('no browser: install chromium, or run npx playwright install chromium')
  return found
}

async function installFromDebian(packages) {
  console.log(`installing ${packages.join(', ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-qq'], { env })
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    env,
    stdio: 'ignore',
  })
}
