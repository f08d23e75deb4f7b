import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainContentOf, precompressedContentOf } from '../../../platform/http/answers/content.ts'
import type { Content } from '../../../platform/http/answers/content.ts'

/** The dashboard as it was built. */
export interface DashboardFiles {
  /** The document: the same for every page of the dashboard. */
  document: Content
  /** Its script and its style as a `Link` header: a browser asks for them before it has read the document. */
  link: string
  /** Its scripts, styles and pictures by their names, which hold a hash of what is in them. */
  assets: ReadonlyMap<string, Content>
  /** The licences of the packages whose code it contains; null where the build wrote none. */
  notices: Content | null
}

const DOCUMENT = 'index.html'
const ASSETS = 'assets'
const COMPRESSED = '.br'
const NOTICES = 'THIRD-PARTY-NOTICES.txt'

/** Everything that `npm run build` made of the dashboard, for serving it from memory; null where it was not built. */
export function readDashboardFiles(folder: string): DashboardFiles | null {
  if (!existsSync(join(folder, DOCUMENT))) return null
  const names = existsSync(join(folder, ASSETS)) ? readdirSync(join(folder, ASSETS)) : []
  const assets = names
    .filter((name) => !name.endsWith(COMPRESSED))
    .map((name) => [name, readContent(join(folder, ASSETS, name))] as const)
  const document = readContent(join(folder, DOCUMENT))
  const notices = existsSync(join(folder, NOTICES)) ? readContent(join(folder, NOTICES)) : null
  return { document, link: linkOf(document.plain.toString()), assets: new Map(assets), notices }
}

/** `crossorigin` as in the document, or the browser would load them twice. */
function linkOf(html: string): string {
  const script = /<script type="module" crossorigin src="([^"]+)"/.exec(html)?.[1]
  const style = /<link rel="stylesheet" crossorigin href="([^"]+)"/.exec(html)?.[1]
  return [
    ...(script === undefined ? [] : [`<${script}>; rel=modulepreload; crossorigin`]),
    ...(style === undefined ? [] : [`<${style}>; rel=preload; as=style; crossorigin`]),
  ].join(', ')
}

/** A compressed file beside another is the same file. */
function readContent(path: string): Content {
  const plain = readFileSync(path)
  const compressed = `${path}${COMPRESSED}`
  return existsSync(compressed)
    ? precompressedContentOf(plain, readFileSync(compressed))
    : plainContentOf(plain)
}
