import { compareVersions, semanticVersionOf } from './semantic-version.ts'

/** What the choice of a release goes by. */
export interface Candidate {
  version: string
  workflowVersions: readonly number[]
}

interface Wish {
  workflowVersion: number
  environment: string
}

/** The release that a page should load, and the hash that its browser is to hold it against. */
export interface RecommendedRelease {
  /** Address of `widget.umd.min.js`. */
  url: string
  /** `sha384-…`, for the script's `integrity`. */
  integrity: string
}

/**
 * The newest release that serves a workflow version (contract §5): a stable one, and where the environment is
 * `preproduction_svc` a `-beta` too. Null when none does.
 */
export function recommend<Kind extends Candidate>(releases: readonly Kind[], wish: Wish): Kind | null {
  const fitting = releases.filter(
    ({ version, workflowVersions }) =>
      workflowVersions.includes(wish.workflowVersion) && isOffered(version, wish.environment),
  )
  return newestOf(fitting)
}

/** The release that `latest` means: the newest stable one, or, as long as there is none, the newest of all. */
export function latestOf<Kind extends Candidate>(releases: readonly Kind[]): Kind | null {
  return newestOf(releases.filter(({ version }) => isStable(version))) ?? newestOf(releases)
}

/** A version without an identifier after a hyphen. */
export function isStable(version: string): boolean {
  return semanticVersionOf(version)?.prerelease.length === 0
}

function newestOf<Kind extends Candidate>(releases: readonly Kind[]): Kind | null {
  const [newest] = [...releases].sort((a, b) => compareVersions(b.version, a.version))
  return newest ?? null
}

function isOffered(version: string, environment: string): boolean {
  const [label] = semanticVersionOf(version)?.prerelease ?? []
  return label === undefined || (label === 'beta' && environment === 'preproduction_svc')
}
