import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, tool } from './run.mjs'

/**
 * Builds the examples with this repository's package, and makes a payment through each in a browser. `angular` and `next`, which are
 * large to install, only if they are named; each is installed in a temporary folder.
 */
const large = ['angular', 'next'].filter((example) => process.argv.includes(example))
await run('npm', ['run', '--silent', 'build'])
const root = await mkdtemp(join(tmpdir(), 'svc-examples-'))
try {
  const env = {}
  for (const example of large) env[`${example.toUpperCase()}_EXAMPLE`] = await install(example)
  await run(tool('playwright'), ['test', '--project=chromium', 'examples'], { env })
} finally {
  await rm(root, { recursive: true, force: true })
}

/** Installs an example outside of this repository; resolves to its folder. */
async function install(example) {
  const folder = join(root, example, 'examples', example)
  await cp(join('examples', example), folder, { recursive: true })
  await cp('dist/npm', join(root, example, 'dist', 'npm'), { recursive: true })
  // The package is copied, as from a registry, because bundlers do not follow links out of their folder.
  await run('npm', ['install', '--install-links', '--no-audit', '--no-fund'], { cwd: folder })
  return folder
}
