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

/** Releases are offered to pages of one environment, from one origin. */
export interface OfferedReleases {
  releases: readonly Release[]
  environment: string
  /** Origin that the SDK is served from. */
  widgetUrl: string
}

export const WIDGET = 'widget.umd.min.js'

type Versioned = Pick<Release, 'version'>

/** By semver.org, item 11; build metadata decides between versions that are otherwise the same. */
export function newestFirst<Kind extends Versioned>(releases: readonly Kind[]): Kind[] {
  return [...releases].sort((a, b) => compareBuild(b.version, a.version))
}

/** The release that `latest` means: the newest stable one, or the newest of all while there is none. */
export function latestOf<Kind extends Versioned>(releases: readonly Kind[]): Kind | null {
  const sorted = newestFirst(releases)
  return sorted.find(({ version }) => isStable(version)) ?? sorted[0] ?? null
}

/** Whether a version has no identifier after a hyphen. */
export function isStable(version: string): boolean {
  return prerelease(version) === null
}

/** Whether a page may load a file as a script. */
export function isScript(path: string): boolean {
  return /\.m?js$/.test(path)
}

export interface RecommendedSdk {
  /** Address of `widget.umd.min.js`. */
  url: string
  /** `sha384-…`, for the script's `integrity`. */
  integrity: string
  /** The release, as it stands in addresses. */
  release: string
  /** Origin of its documents. */
  origin: string
  /** Whether it adopts a form that stands in the page's own HTML. */
  adoptsForms: boolean
}

/** The first release that does. */
const FIRST_THAT_ADOPTS = '1.3.0-0'

/** The SDK that a page should load for a workflow version; null if no release serves it. */
export function recommendedSdk(
  { releases, environment, widgetUrl }: OfferedReleases,
  workflowVersion: number,
): RecommendedSdk | null {
  const release = recommend(releases, { workflowVersion, environment })
  const widget = release?.files.get(WIDGET)
  if (!release || !widget) return null
  return {
    url: `${widgetUrl}/sdk/v${release.version}/${WIDGET}`,
    integrity: widget.integrity,
    release: `v${release.version}`,
    origin: widgetUrl,
    adoptsForms: compareBuild(release.version, FIRST_THAT_ADOPTS) >= 0,
  }
}

/**
 * The newest release that serves a workflow version (contract §5): a stable one, or in the environment `preproduction_svc` a `-beta`
 * too. Null if none does.
 */
export function recommend<Kind extends Pick<Release, 'version' | 'workflowVersions'>>(
  releases: readonly Kind[],
  { workflowVersion, environment }: { workflowVersion: number; environment: string },
): Kind | null {
  const fitting = releases.filter(
    ({ version, workflowVersions }) =>
      workflowVersions.includes(workflowVersion) && isOffered(version, environment),
  )
  return newestFirst(fitting)[0] ?? null
}

function isOffered(version: string, environment: string): boolean {
  const [label] = prerelease(version) ?? []
  return label === undefined || (label === 'beta' && environment === 'preproduction_svc')
}
