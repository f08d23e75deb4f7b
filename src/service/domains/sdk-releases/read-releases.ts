import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import valid from 'semver/functions/valid.js'
import * as v from 'valibot'
import { newestFirst } from './release.ts'
import type { Release, ReleaseFile } from './release.ts'

/** A release is not as it was released; the message says in one line what is wrong and what to do. */
export class ReleaseFault extends Error {
  override readonly name = 'ReleaseFault'
}

/**
 * A release's folder holds these two and nothing else; `scripts/packaging/release-folder.mjs` writes it. The archive is all files of the
 * manifest, one after the other in its order, compressed together by brotli.
 */
const MANIFEST = 'manifest.json'
const ARCHIVE = 'files.br'

/** As semver.org writes it, no more: `valid` also takes `v1.0.0`, and spaces around a version. */
const Version = v.pipe(
  v.string(),
  v.check((text) => /^\d\S*$/.test(text) && valid(text) !== null),
)

/** Below `/sdk/v{version}/`, and nowhere else. */
const FilePath = v.pipe(v.string(), v.regex(/^\w[\w.-]*(?:\/\w[\w.-]*)*$/))

const Manifest = v.strictObject({
  version: Version,
  workflow_versions: v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1))), v.nonEmpty()),
  files: v.record(
    FilePath,
    v.strictObject({
      bytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
      integrity: v.pipe(v.string(), v.startsWith('sha384-')),
    }),
  ),
})
type Manifest = v.InferOutput<typeof Manifest>

/**
 * Reads every release in these folders, newest first; each is a folder `v{version}`. If two folders have the same version, the first
 * counts. Throws a `ReleaseFault` unless a release holds exactly the files that its manifest names.
 */
export function readReleases(folders: readonly string[]): readonly Release[] {
  const releases = new Map<string, Release>()
  for (const folder of folders) {
    for (const name of foldersIn(folder)) {
      if (!releases.has(name)) releases.set(name, readRelease(folder, name))
    }
  }
  if (releases.size === 0)
    throw new ReleaseFault(`there is no SDK release in ${folders.join(' or ')}: npm run build makes one`)
  return newestFirst([...releases.values()])
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

function readRelease(parent: string, name: string): Release {
  const folder = join(parent, name)
  const { version, workflow_versions: workflowVersions, files: named } = readManifest(folder)
  if (name !== `v${version}`) throw fault(folder, `its ${MANIFEST} is of version ${version}`)
  const extra = readdirSync(folder).find((entry) => entry !== MANIFEST && entry !== ARCHIVE)
  if (extra !== undefined) throw fault(folder, `${extra} does not belong to it`)
  return { version, workflowVersions, files: readFiles(folder, named) }
}

function readManifest(folder: string): Manifest {
  const manifest = v.safeParse(
    v.pipe(v.string(), v.parseJson(), Manifest),
    readPart(folder, MANIFEST).toString(),
  )
  if (!manifest.success) throw fault(folder, `${MANIFEST} can't be read`)
  return manifest.output
}

function readFiles(folder: string, named: Manifest['files']): ReadonlyMap<string, ReleaseFile> {
  const archive = decompressed(readPart(folder, ARCHIVE))
  if (archive === null) throw fault(folder, `${ARCHIVE} can't be read`)
  const files = new Map<string, ReleaseFile>()
  let start = 0
  for (const [path, { bytes, integrity }] of Object.entries(named)) {
    const content = archive.subarray(start, start + bytes)
    if (integrityOf(content) !== integrity) throw fault(folder, `${path} has changed, or is missing`)
    files.set(path, { content, integrity })
    start += bytes
  }
  if (start !== archive.length) throw fault(folder, `${ARCHIVE} holds more than ${MANIFEST} names`)
  return files
}

function readPart(folder: string, name: string): Buffer {
  try {
    return readFileSync(join(folder, name))
  } catch {
    throw fault(folder, `${name} is missing`)
  }
}

/** Null for bytes that are not brotli. */
function decompressed(content: Buffer): Buffer | null {
  try {
    return brotliDecompressSync(content)
  } catch {
    return null
  }
}

function integrityOf(content: Buffer): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`
}

function fault(folder: string, what: string): ReleaseFault {
  return new ReleaseFault(
    `SDK release ${folder} is not as it was released: ${what}. Bring the folder back from where it was released, or remove it.`,
  )
}
