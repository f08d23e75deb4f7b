import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { runnerImport } from 'vite'
import { buildNpmPackage } from './packaging/npm-package.mjs'
import { differencesFromReleased } from './packaging/released.mjs'
import { writeReleaseFolder } from './packaging/release-folder.mjs'
import { run } from './run.mjs'
import { buildSdkTypes } from './packaging/sdk-types.mjs'

/** Builds everything into dist/, or only the named parts: `npm run build -- sdk frame checkout`. */
const parts = ['sdk', 'frame', 'checkout', 'dashboard', 'preview', 'service', 'demo']

/** Lays out the built SDK and frame as a release of this version, which is not published yet. */
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
// The frame's build empties the folder of both documents.
if (asked.includes('frame') && !asked.includes('checkout')) asked.push('checkout')
if (asked.length === 0) await rm('dist', { recursive: true, force: true })
for (const part of asked.length === 0 ? parts : asked) {
  await run('npx', ['vite', 'build', '--mode', part, '--logLevel', 'warn'])
  if (part === 'sdk') {
    await run('npx', ['vite', 'build', '--mode', 'loader', '--logLevel', 'warn'])
    await buildSdkTypes()
    await buildNpmPackage()
  }
}
if (existsSync('dist/sdk') && existsSync('dist/frame')) await layOutRelease()
if (asked.length === 0) await writeFile('dist/.built', '')
