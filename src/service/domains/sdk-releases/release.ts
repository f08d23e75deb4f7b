import compareBuild from 'semver/functions/compare-build.js'
import prerelease from 'semver/functions/prerelease.js'

/** One file of a release, as it was released. */
export interface ReleaseFile {
  content: Buffer
  /** `sha384-…`, as a page puts it into `integrity`. */
  integrity: string
}

/** A version of the SDK with its frame: built once, never changed (contract §5). */
export interface Release {
  version: string
  workflowVersions: readonly number[]
  /** By path: `widget.umd.min.js`, `languages/fr.json`, `frame/frame.html` … */
  files: ReadonlyMap<string, ReleaseFile>
}

type Versioned = Pick<Release, 'version'>

/** By semver.org, item 11; build metadata decides between versions that are otherwise the same. */
export function newestFirst<Kind extends Versioned>(releases: readonly Kind[]): Kind[] {
  return [...releases].sort((a, b) => compareBuild(b.version, a.version))
}

/** The release that `latest` means: the newest stable one, or, as long as there is none, the newest of all. */
export function latestOf<Kind extends Versioned>(releases: readonly Kind[]): Kind | null {
  const sorted = newestFirst(releases)
  return sorted.find(({ version }) => isStable(version)) ?? sorted[0] ?? null
}

/** Whether a version has no identifier after a hyphen. */
export function isStable(version: string): boolean {
  return prerelease(version) === null
}
