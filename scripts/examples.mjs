import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, tool } from './run.mjs'

/**
 * Builds the examples with the package of this checkout and pays through each of them in a browser; with `next` it also
 * installs and builds the example for Next, in a folder of its own.
 */
await run('npm', ['run', '--silent', 'build'])
await run(tool('playwright'), ['test', '--project=chromium', 'examples'])
if (process.argv.includes('next')) await buildNext()

async function buildNext() {
  const folder = await mkdtemp(join(tmpdir(), 'svc-example-'))
  const example = join(folder, 'examples', 'next')
  try {
    await cp('examples/next', example, { recursive: true })
    await cp('dist/npm', join(folder, 'dist', 'npm'), { recursive: true })
    // A copy of the package, as from a registry: Next does not follow links out of its folder.
    await run('npm', ['install', '--install-links', '--no-audit', '--no-fund'], { cwd: example })
    await run('npm', ['run', 'build'], {
      cwd: example,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
