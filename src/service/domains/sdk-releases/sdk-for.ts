import { recommend } from './recommended-release.ts'
import type { RecommendedRelease } from './recommended-release.ts'
import type { Release } from './release.ts'

interface Parts {
  releases: readonly Release[]
  environment: string
  /** Origin that the SDK is served from. */
  widgetUrl: string
}

const WIDGET = 'widget.umd.min.js'

/** Address and hash of the SDK that a page should load for a workflow version; null when no release serves it. */
export function createSdkFor({ releases, environment, widgetUrl }: Parts) {
  return (workflowVersion: number): RecommendedRelease | null => {
    const release = recommend(releases, { workflowVersion, environment })
    const widget = release?.files.get(WIDGET)
    if (!release || !widget) return null
    return { url: `${widgetUrl}/sdk/v${release.version}/${WIDGET}`, integrity: widget.integrity }
  }
}
