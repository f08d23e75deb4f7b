import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { runnerImport } from 'vite'
import { buildNpmPackage } from './npm-package.mjs'
import { differencesFromReleased } from './released.mjs'
import { writeReleaseFolder } from './release-folder.mjs'
import { run } from './run.mjs'
import { buildSdkTypes } from './sdk-types.mjs'

/** Builds every room into dist/, or only those that are named: `npm run build -- sdk frame checkout`. */
const rooms = ['sdk', 'frame', 'checkout', 'service', 'demo']

/** What was built of SDK and frame becomes a release of this version, not yet released. */
async function layOutRelease() {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  const { module } = await runnerImport('./src/contract/api/workflow-versions.ts')
  const workflowVersions = module.WORKFLOW_VERSIONS.map((known) => known.version)
  await rm('dist/releases', { recursive: true, force: true })
  await writeReleaseFolder(`dist/releases/v${version}`, { version, workflowVersions })
  const { words } = await differencesFromReleased()
  if (words !== '') console.warn(`build: ${words}`)
}

const asked = process.argv.slice(2)
// The frame's room empties the folder that both documents are built into.
if (asked.includes('frame') && !asked.includes('checkout')) asked.push('checkout')
if (asked.length === 0) await rm('dist', { recursive: true, force: true })
for (const room of asked.length === 0 ? rooms : asked) {
  await run('npx', ['vite', 'build', '--mode', room, '--logLevel', 'warn'])
  if (room === 'sdk') {
    await run('npx', ['vite', 'build', '--mode', 'loader', '--logLevel', 'warn'])
    await buildSdkTypes()
    await buildNpmPackage()
  }
}
if (existsSync('dist/sdk') && existsSync('dist/frame')) await layOutRelease()
if (asked.length === 0) await writeFile('dist/.built', '')
