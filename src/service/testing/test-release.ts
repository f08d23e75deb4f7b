import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Release } from '../domains/sdk-releases/release.ts'

type Texts = Readonly<Record<string, string>>

/** A few small files, as the tests look only at how they are served. */
const FILES: Texts = {
  'widget.umd.min.js': 'var svc={}',
  'languages/en.json': '{"title":"Card"}',
  'languages/fr.json': '{"title":"Carte"}',
  'frame/frame.json': JSON.stringify({ script_hashes: ['sha256-a'], style_hashes: ['sha256-b'] }),
  'frame/frame.html': '<script id="svc-setup">__SVC_SETUP__</script>',
  'frame/frame.fr.html': '<html lang=fr><script id="svc-setup">__SVC_SETUP__</script>',
}

/** A release of small files; `texts` are added to them. */
export function testRelease(
  version: string,
  { workflowVersions = [1], texts = {} }: { workflowVersions?: number[]; texts?: Texts } = {},
): Release {
  const files = Object.entries({ ...FILES, ...texts }).map(([path, text]) => {
    const content = Buffer.from(text)
    return [path, { content, integrity: integrityOf(content) }] as const
  })
  return { version, workflowVersions, files: new Map(files) }
}

/** Writes a release into its folder below `parent`, as `npm run release` does. */
export function writeRelease(parent: string, { version, workflowVersions, files }: Release): string {
  const folder = join(parent, `v${version}`)
  const named = [...files].map(
    ([path, { content, integrity }]) => [path, { bytes: content.length, integrity }] as const,
  )
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({ version, workflow_versions: workflowVersions, files: Object.fromEntries(named) }),
  )
  writeArchive(
    folder,
    [...files].map(([, { content }]) => content),
  )
  return folder
}

/** Replaces the archive in a release's folder by one of these files, in the order of the manifest. */
export function writeArchive(folder: string, contents: readonly Buffer[]): void {
  writeFileSync(join(folder, 'files.br'), brotliCompressSync(Buffer.concat(contents)))
}

function integrityOf(content: Buffer): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`
}
