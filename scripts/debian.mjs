import { existsSync } from 'node:fs'
import { run } from './run.mjs'

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
