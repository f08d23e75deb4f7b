import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { completeNpmPackage } from './packaging/npm-package.mjs'
import { refuseWithoutTools } from './dependencies.mjs'
import { writeNotices } from './packaging/notices.mjs'
import { differencesFromReleased } from './packaging/released.mjs'
import { writeReleaseFolder } from './packaging/release-folder.mjs'
import { run, tool } from './run.mjs'
import { completeServerPackage } from './packaging/server-package.mjs'

/**
 * Builds everything into dist/, or only the named parts: `npm run build -- sdk frame checkout`. The series run in parallel;
 * parts that share a folder are in the same series.
 */
const series = [
  ['sdk', 'server-client'],
  ['frame', 'checkout', 'authentication', 'preview'],
  ['dashboard', 'service', 'demo'],
]

async function buildPart(part) {
  if (part === 'server-client') {
    await modules('npm-server')
    return completeServerPackage()
  }
  await bundle(part)
  if (part !== 'sdk') return
  await bundle('loader')
  await modules('release-types', 'npm', 'npm-testing')
  await completeNpmPackage()
}

const bundle = (mode) => run(tool('vite'), ['build', '--mode', mode, '--logLevel', 'warn'])

/** What `tsdown.config.ts` has under these names. */
const modules = (...names) =>
  run(tool('tsdown'), ['--logLevel', 'warn', ...names.flatMap((name) => ['--filter', name])])

/** Writes the built SDK and frame as a release of this version, which is not published yet. */
async function layOutRelease() {
  const { runnerImport } = await import('vite')
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  const { module } = await runnerImport('./src/contract/api/checkouts/workflow-versions.ts')
  const workflowVersions = module.WORKFLOW_VERSIONS.map((known) => known.version)
  await rm('dist/releases', { recursive: true, force: true })
  await writeReleaseFolder(`dist/releases/v${version}`, { version, workflowVersions })
  const { words } = await differencesFromReleased()
  if (words !== '') console.warn(`build: ${words}`)
}

refuseWithoutTools()
const asked = process.argv.slice(2)
// The frame's build empties the folder of all documents, so the others have to be built again, too.
if (asked.includes('frame')) asked.push('checkout', 'authentication')
if (asked.length === 0) await rm('dist', { recursive: true, force: true })
const unknown = asked.filter((part) => !series.flat().includes(part))
if (unknown.length > 0) throw new Error(`build: no part is called ${unknown.join(' or ')}`)
const isAsked = (part) => asked.length === 0 || asked.includes(part)
await Promise.all(
  series.map(async (parts) => {
    for (const part of parts.filter(isAsked)) await buildPart(part)
  }),
)
writeNotices()
if (existsSync('dist/sdk') && existsSync('dist/frame')) await layOutRelease()
if (asked.length === 0) await writeFile('dist/.built', '')
