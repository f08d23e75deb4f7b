import { existsSync, statSync } from 'node:fs'
import { run } from './run.mjs'
import { useSupportedNode } from './supported-node.mjs'

/** Installs the exact dependencies of package-lock.json, unless they are installed; development dependencies too, even if NODE_ENV=production. */
export async function installDependencies() {
  await useSupportedNode()
  if (process.platform === 'win32') {
    console.error('Windows is not supported: run this in WSL 2, which `wsl --install` installs.')
    process.exit(1)
  }
  const installed = 'node_modules/.package-lock.json'
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs) return
  console.log('installing dependencies …')
  await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
}

/** Ends in one line where what builds and tests is not installed, as after `npm ci --omit=dev`. */
export function refuseWithoutTools() {
  if (existsSync('node_modules/vite')) return
  console.error(
    'The tools that build this are not installed (npm ci --omit=dev leaves them out): run npm ci. What is built is started by node dist/service/main.js.',
  )
  process.exit(1)
}
