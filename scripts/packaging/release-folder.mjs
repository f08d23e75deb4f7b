import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { noticesOfRelease } from './notices.mjs'

/**
 * Makes a release of what was built in `dist/sdk` and `dist/frame`: a folder with a manifest, which names each script,
 * type, text, notice and template of the frame with its hash, and one archive of them all, as
 * `src/service/domains/sdk-releases/read-releases.ts` reads it.
 */
export async function writeReleaseFolder(folder, { version, workflowVersions }) {
  const files = await builtFiles()
  files.set('integrity.json', Buffer.from(integrityOfScripts(files)))
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1))
  const manifest = {
    version,
    workflow_versions: workflowVersions,
    files: Object.fromEntries(
      sorted.map(([path, content]) => [path, { bytes: content.length, integrity: integrityOf(content) }]),
    ),
  }
  const archive = brotliCompressSync(Buffer.concat(sorted.map(([, content]) => content)))
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await writeFile(join(folder, 'files.br'), archive)
}

/** What differs between two releases, as paths. */
export async function differencesOf(folder, other) {
  const [mine, theirs] = [await readManifest(folder), await readManifest(other)]
  const served = (manifest) => String(manifest.workflow_versions)
  const paths = new Set([...Object.keys(mine.files), ...Object.keys(theirs.files)])
  const differing = [...paths].filter((path) => mine.files[path]?.integrity !== theirs.files[path]?.integrity)
  return served(mine) === served(theirs) ? differing : ['workflow_versions', ...differing]
}

async function readManifest(folder) {
  return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
}

async function builtFiles() {
  const files = new Map()
  for (const name of await namesIn('dist/sdk', /\.(?:m?js|d\.ts)$/))
    files.set(name, await read('dist/sdk', name))
  for (const name of await namesIn('dist/frame', /^(?:frame|checkout|authentication)\./))
    files.set(`frame/${name}`, await read('dist/frame', name))
  for (const name of await namesIn('dist/frame/languages', /\.json$/))
    files.set(`languages/${name}`, await read('dist/frame/languages', name))
  for (const [path, text] of noticesOfRelease()) files.set(path, Buffer.from(text))
  return files
}

async function namesIn(folder, pattern) {
  return (await readdir(folder, { recursive: true })).filter((name) => pattern.test(name))
}

function read(folder, name) {
  return readFile(join(folder, name))
}

/** The value of `integrity="…"` for each script that a page may load. */
function integrityOfScripts(files) {
  const scripts = [...files].filter(([path]) => /\.m?js$/.test(path))
  const hashes = Object.fromEntries(scripts.map(([path, content]) => [path, integrityOf(content)]))
  return `${JSON.stringify({ files: hashes }, null, 2)}\n`
}

function integrityOf(content) {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`
}
