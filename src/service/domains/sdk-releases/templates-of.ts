import { frameTemplateOf } from './frame-template.ts'
import type { FrameTemplate } from './frame-template.ts'
import { latestOf } from './recommended-release.ts'
import type { Release } from './release.ts'

/** One kind of document of each release that has it, by the release's name in addresses: `v1.2.0`, `latest`. */
export function templatesOf(
  releases: readonly Release[],
  kind: 'frame' | 'checkout',
): ReadonlyMap<string, FrameTemplate> {
  const having = releases.filter(({ files }) => files.has(`frame/${kind}.json`))
  const templates = new Map(having.map((release) => [`v${release.version}`, frameTemplateOf(release, kind)]))
  const latest = templates.get(`v${latestOf(releases)?.version ?? ''}`)
  return latest === undefined ? templates : templates.set('latest', latest)
}
