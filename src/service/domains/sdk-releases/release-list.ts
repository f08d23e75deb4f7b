import { isStable, latestOf } from './recommended-release.ts'
import type { Release } from './release.ts'

/** `releases.json` (contract §5): every release, newest first, with the hash of each script that a page may load. */
export function releaseListOf(releases: readonly Release[]) {
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
  const scripts = [...files].filter(([path]) => /\.m?js$/.test(path))
  return Object.fromEntries(
    scripts.map(([path, { content, integrity }]) => [path, { bytes: content.length, integrity }]),
  )
}
