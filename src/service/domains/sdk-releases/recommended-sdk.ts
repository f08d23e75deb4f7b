import prerelease from 'semver/functions/prerelease.js'
import { newestFirst } from './release.ts'
import type { Release } from './release.ts'

/** The SDK that a page should load, and the hash that its browser checks it by. */
interface RecommendedSdk {
  /** Address of `widget.umd.min.js`. */
  url: string
  /** `sha384-…`, for the script's `integrity`. */
  integrity: string
}

interface Parts {
  releases: readonly Release[]
  environment: string
  /** Origin that the SDK is served from. */
  widgetUrl: string
}

const WIDGET = 'widget.umd.min.js'

/** Looks up the SDK that a page should load for a workflow version; null when no release serves it. */
export function createRecommendedSdk({ releases, environment, widgetUrl }: Parts) {
  return (workflowVersion: number): RecommendedSdk | null => {
    const release = recommend(releases, { workflowVersion, environment })
    const widget = release?.files.get(WIDGET)
    if (!release || !widget) return null
    return { url: `${widgetUrl}/sdk/v${release.version}/${WIDGET}`, integrity: widget.integrity }
  }
}

/**
 * The newest release that serves a workflow version (contract §5): a stable one, and where the environment is
 * `preproduction_svc` a `-beta` too. Null when none does.
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
