import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { answerContent, compressibleContentOf, plainContentOf } from '../../platform/http/answers/content.ts'
import type { Content } from '../../platform/http/answers/content.ts'
import { isScript, isStable, latestOf } from './release.ts'
import type { Release } from './release.ts'
import { ServiceError } from '../../platform/errors.ts'
import { decode } from '../../platform/http/requests/decode.ts'

const FilePath = v.object({ '*': v.string() })

/** The SDK's files (contract §5). A path is looked up as it is written, so only files of a release can be had. */
export function addFileRoutes(app: FastifyInstance, releases: readonly Release[]): void {
  const files = releaseFiles(releases)
  app.get('/sdk/*', { config: { resourceType: 'sdk_file', isRoutine: true } }, async (request, reply) => {
    const path = decode(FilePath, request.params)['*']
    const file = files.get(path)
    if (file !== undefined) return answerContent(request, reply, file.content, file.headers)
    void reply.headers(OPEN)
    throw new ServiceError('not_found', wordsOnMissing(path, releases))
  })
}

/** A file as it is served below `/sdk/`. */
interface ServedFile {
  content: Content
  headers: Readonly<Record<string, string>>
}

const YEAR_SECONDS = 31_536_000
const LATEST_SECONDS = 300

const FOR_EVER = `public, max-age=${YEAR_SECONDS}, immutable`
const FOR_A_WHILE = `public, max-age=${LATEST_SECONDS}`

/** Pages of every origin may load these files, also isolated pages, and time them. Without these headers an answer looks like a CORS fault. */
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
  ['txt', 'text/plain; charset=utf-8'],
])

/**
 * Everything below `/sdk/`, by path (contract §5): each release's files under its version, cached for ever; those of `latest`, cached
 * for a while; and the list of all releases.
 */
function releaseFiles(releases: readonly Release[]): ReadonlyMap<string, ServedFile> {
  const served = new Map<string, ServedFile>()
  const latest = latestOf(releases)
  const serve = (path: string, content: Content, caching: string) =>
    served.set(path, { content, headers: headersOf(path, caching) })
  for (const release of releases) {
    for (const [path, content] of contentsOf(release)) {
      serve(`v${release.version}/${path}`, content, FOR_EVER)
      if (release === latest) serve(`latest/${path}`, content, FOR_A_WHILE)
    }
  }
  const list = Buffer.from(JSON.stringify(releaseListOf(releases), null, 2))
  serve('releases.json', plainContentOf(list), FOR_A_WHILE)
  return served
}

/** Every file but the frame's templates, which the service fills first. */
function contentsOf({ files }: Release): readonly [path: string, content: Content][] {
  return [...files]
    .filter(([path]) => !path.startsWith('frame/'))
    .map(([path, { content }]) => [
      path,
      isLoadedByBrowsers(path)
        ? compressibleContentOf(content, { brotliQuality: 11 })
        : plainContentOf(content),
    ])
}

/** Scripts and texts; types and lists of hashes are for developers. */
function isLoadedByBrowsers(path: string): boolean {
  return isScript(path) || path.startsWith('languages/')
}

function headersOf(path: string, caching: string) {
  const type = TYPES.get(path.slice(path.lastIndexOf('.') + 1)) ?? 'application/octet-stream'
  return { ...OPEN, 'content-type': type, 'cache-control': caching }
}

/** `releases.json` (contract §5): every release, newest first, with the hash of each script that a page may load. */
function releaseListOf(releases: readonly Release[]) {
  return {
    latest: latestOf(releases)?.version ?? null,
    releases: releases.map((release) => ({
      version: release.version,
      is_stable: isStable(release.version),
      workflow_versions: release.workflowVersions,
      files: scriptsOf(release),
    })),
  }
}

function scriptsOf({ files }: Release) {
  const scripts = [...files].filter(([path]) => isScript(path))
  return Object.fromEntries(
    scripts.map(([path, { content, integrity }]) => [path, { bytes: content.length, integrity }]),
  )
}

/** Enough to choose from; `releases.json` has all. */
const MAX_NAMED = 8

/** Names what there is instead. Does not repeat the path, which may hold anything. */
function wordsOnMissing(path: string, releases: readonly Release[]): string {
  const [name] = path.split('/')
  const release =
    name === 'latest' ? latestOf(releases) : releases.find(({ version }) => name === `v${version}`)
  if (release) {
    const scripts = Object.keys(scriptsOf(release)).join(', ')
    return `SDK release v${release.version} has no such file. Its scripts: ${scripts}.`
  }
  const versions = releases.slice(0, MAX_NAMED).map(({ version }) => `v${version}`)
  return (
    `There is no such SDK release here. There are: ${versions.join(', ')}. ` +
    'A page loads /sdk/latest/widget.umd.min.js, or a version in place of latest; all of them: /sdk/releases.json.'
  )
}
