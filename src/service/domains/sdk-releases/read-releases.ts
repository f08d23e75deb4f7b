import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { valid } from 'semver'
import * as v from 'valibot'
import { newestFirst } from './release.ts'
import type { Release, ReleaseFile } from './release.ts'

/** A release is not as it was released; the message says in one line what is wrong, and what to do. */
export class ReleaseFault extends Error {
  override readonly name = 'ReleaseFault'
}

/** What a release's folder holds, and nothing else: `scripts/release-folder.mjs` writes it. */
const MANIFEST = 'manifest.json'
const ARCHIVE = 'files.json.br'

/** The package also reads `v1.0.0` and spaces around a version. */
const Version = v.pipe(
  v.string(),
  v.check((text) => /^\d\S*$/.test(text) && valid(text) !== null),
)

/** Below `/sdk/v{version}/`, and nowhere else. */
const FilePath = v.pipe(v.string(), v.regex(/^\w[\w.-]*(?:\/\w[\w.-]*)*$/))

/** What a release is, and each of its files by path. */
const Manifest = v.strictObject({
  version: Version,
  workflow_versions: v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1))), v.nonEmpty()),
  files: v.record(
    FilePath,
    v.strictObject({ bytes: v.number(), integrity: v.pipe(v.string(), v.startsWith('sha384-')) }),
  ),
})

/** The text of each file, by path. */
const Archive = v.record(v.string(), v.string())

/**
 * Every release in these folders, newest first; each is a folder `v{version}`. Of a version that two folders have, the
 * first one's counts. Throws a `ReleaseFault` unless every file is the one that its manifest names, and none more.
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
  const texts = readArchive(folder)
  const files = new Map<string, ReleaseFile>()
  for (const [path, { bytes, integrity }] of Object.entries(named)) {
    const text = texts.get(path)
    if (text === undefined) throw fault(folder, `${path} is missing`)
    const content = Buffer.from(text)
    if (content.length !== bytes || integrityOf(content) !== integrity)
      throw fault(folder, `${path} has changed`)
    files.set(path, { content, integrity })
  }
  const extra =
    [...texts.keys()].find((path) => !files.has(path)) ??
    readdirSync(folder).find((entry) => entry !== MANIFEST && entry !== ARCHIVE)
  if (extra !== undefined) throw fault(folder, `${extra} does not belong to it`)
  return { version, workflowVersions, files }
}

function readManifest(folder: string): v.InferOutput<typeof Manifest> {
  const content = readPart(folder, MANIFEST)
  const manifest = v.safeParse(v.pipe(v.string(), v.parseJson(), Manifest), content.toString())
  if (!manifest.success) throw fault(folder, `${MANIFEST} can't be read`)
  return manifest.output
}

function readArchive(folder: string): ReadonlyMap<string, string> {
  const content = readPart(folder, ARCHIVE)
  const archive = v.safeParse(v.pipe(v.string(), v.parseJson(), Archive), decompressed(content))
  if (!archive.success) throw fault(folder, `${ARCHIVE} can't be read`)
  return new Map(Object.entries(archive.output))
}

function readPart(folder: string, name: string): Buffer {
  try {
    return readFileSync(join(folder, name))
  } catch {
    throw fault(folder, `${name} is missing`)
  }
}

/** Null for what is not brotli. */
function decompressed(content: Buffer): string | null {
  try {
    return brotliDecompressSync(content).toString()
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
