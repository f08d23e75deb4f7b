import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, tool } from './run.mjs'

/**
 * Builds the examples with the package of this checkout and pays through each of them in a browser. Those that are large to install,
 * `angular` and `next`, only where they are named; each is installed in a folder of its own, which is removed in the end.
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

/** Installs an example outside of this checkout; resolves to its folder. */
async function install(example) {
  const folder = join(root, example, 'examples', example)
  await cp(join('examples', example), folder, { recursive: true })
  await cp('dist/npm', join(root, example, 'dist', 'npm'), { recursive: true })
  // A copy of the package, as from a registry: builders do not follow links out of their folder.
  await run('npm', ['install', '--install-links', '--no-audit', '--no-fund'], { cwd: folder })
  return folder
}
