import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import * as v from 'valibot'
import { Manifest } from './release.ts'
import type { Release, ReleaseFile } from './release.ts'
import { compareVersions } from './semantic-version.ts'

/** A release is not as it was released; the message says in one line which file, and what to do. */
export class ReleaseFault extends Error {
  override readonly name = 'ReleaseFault'
}

const MANIFEST = 'manifest.json'

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
  return [...releases.values()].sort((a, b) => compareVersions(b.version, a.version))
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
  const files = new Map<string, ReleaseFile>()
  for (const [path, { bytes, integrity }] of Object.entries(named)) {
    const content = readOrNull(join(folder, path))
    if (content === null) throw fault(folder, `${path} is missing`)
    if (content.length !== bytes || integrityOf(content) !== integrity)
      throw fault(folder, `${path} has changed`)
    files.set(path, { content, integrity })
  }
  const extra = pathsIn(folder).find((path) => path !== MANIFEST && !files.has(path))
  if (extra !== undefined) throw fault(folder, `${extra} does not belong to it`)
  return { version, workflowVersions, files }
}

function readManifest(folder: string): v.InferOutput<typeof Manifest> {
  const text = readOrNull(join(folder, MANIFEST))
  if (text === null) throw fault(folder, `${MANIFEST} is missing`)
  const manifest = v.safeParse(v.pipe(v.string(), v.parseJson(), Manifest), text.toString())
  if (!manifest.success) throw fault(folder, `${MANIFEST} can't be read`)
  return manifest.output
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

/** Every file below a folder, and what is neither file nor folder. */
function pathsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

function integrityOf(content: Buffer): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`
}

function fault(folder: string, what: string): ReleaseFault {
  return new ReleaseFault(
    `SDK release ${folder} is not as it was released: ${what}. Bring the folder back from where it was released, or remove it.`,
  )
}
