import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, tool } from './run.mjs'

/**
 * Builds the examples with the package of this checkout and pays through each of them in a browser. With `angular` and `next` it
 * also installs those, each in a folder of its own: Angular's is built and paid through too, Next's is built.
 */
const named = process.argv.slice(2)
await run('npm', ['run', '--silent', 'build'])
if (named.includes('angular')) await installed('angular', (folder) => payThrough({ ANGULAR_EXAMPLE: folder }))
else await payThrough()
if (named.includes('next'))
  await installed('next', (folder) =>
    run('npm', ['run', 'build'], { cwd: folder, env: { NEXT_TELEMETRY_DISABLED: '1' } }),
  )

function payThrough(env = {}) {
  return run(tool('playwright'), ['test', '--project=chromium', 'examples'], { env })
}

/** Installs an example in a folder of its own, which is removed once `use` has ended. */
async function installed(example, use) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-example-'))
  const own = join(folder, 'examples', example)
  try {
    await cp(join('examples', example), own, { recursive: true })
    await cp('dist/npm', join(folder, 'dist', 'npm'), { recursive: true })
    // A copy of the package, as from a registry: builders do not follow links out of their folder.
    await run('npm', ['install', '--install-links', '--no-audit', '--no-fund'], { cwd: own })
    await use(own)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
