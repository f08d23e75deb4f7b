import type { Encoding } from './encoding.ts'
import { latestOf } from './recommended-release.ts'
import { releaseListOf } from './release-list.ts'
import type { Release } from './release.ts'
import { servedContentOf } from './served-content.ts'
import type { ServedContent } from './served-content.ts'

const YEAR_SECONDS = 31_536_000
const LATEST_SECONDS = 300

const FOR_EVER = `public, max-age=${YEAR_SECONDS}, immutable`
const FOR_A_WHILE = `public, max-age=${LATEST_SECONDS}`

/** Every page of every origin may load these, also one that is isolated, and time them. */
const OPEN = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'timing-allow-origin': '*',
}

const TYPES = new Map([
  ['js', 'text/javascript; charset=utf-8'],
  ['mjs', 'text/javascript; charset=utf-8'],
  ['json', 'application/json; charset=utf-8'],
  ['ts', 'text/plain; charset=utf-8'],
])

/**
 * What is served below `/sdk/`, by path: each release's files for ever under its version, the newest one's for a while
 * as `latest`, and the list of all (contract §5). All of it is prepared here, once, and kept in memory.
 */
export function releaseFiles(releases: readonly Release[]): ReadonlyMap<string, ServedContent> {
  const served = new Map<string, ServedContent>()
  const latest = latestOf(releases)
  for (const release of releases) addFiles(served, release, `v${release.version}`, FOR_EVER)
  if (latest !== null) addFiles(served, latest, 'latest', FOR_A_WHILE)
  const list = Buffer.from(JSON.stringify(releaseListOf(releases), null, 2))
  served.set('releases.json', servedContentOf({ identity: list }, headersOf(typeOf('json'), FOR_A_WHILE)))
  return served
}

function addFiles(served: Map<string, ServedContent>, release: Release, folder: string, caching: string) {
  for (const [path, { content }] of release.files) {
    if (!isPublic(path)) continue
    const bytesIn = { identity: content, ...copiesOf(release, path) }
    served.set(`${folder}/${path}`, servedContentOf(bytesIn, headersOf(typeOf(path), caching)))
  }
}

/** Not the frame's templates, which the service fills, nor a compressed copy by itself. */
function isPublic(path: string): boolean {
  return !path.startsWith('frame/') && !/\.(?:br|gz)$/.test(path)
}

function copiesOf({ files }: Release, path: string): Partial<Record<Encoding, Buffer>> {
  const [br, gzip] = [files.get(`${path}.br`), files.get(`${path}.gz`)]
  return { ...(br && { br: br.content }), ...(gzip && { gzip: gzip.content }) }
}

function typeOf(path: string): string {
  return TYPES.get(path.slice(path.lastIndexOf('.') + 1)) ?? 'application/octet-stream'
}

function headersOf(type: string, caching: string) {
  return { ...OPEN, 'content-type': type, 'cache-control': caching }
}
