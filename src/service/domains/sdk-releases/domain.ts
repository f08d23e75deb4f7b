import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import { addCheckoutRoutes } from './checkout-routes.ts'
import type { CheckoutView } from './checkout-routes.ts'
import { addFileRoutes } from './file-routes.ts'
import { addFrameRoutes } from './frame-routes.ts'
import type { RecommendedRelease } from './recommended-release.ts'
import type { Release } from './release.ts'
import { createSdkFor } from './sdk-for.ts'
import { createSetupFor } from './setup-for.ts'
import type { SetupParts } from './setup-for.ts'

interface Needs {
  /** Every SDK release that is served. */
  releases: readonly Release[]
  merchants: SetupParts['merchants']
  /** Null for an intent that is not known. */
  viewOf: (intentId: string) => Promise<CheckoutView | null>
}

export interface SdkReleasesApi {
  /** The SDK that a page should load for a workflow version; null when no release serves it. */
  recommendedRelease: (workflowVersion: number) => RecommendedRelease | null
}

/** What a page loads: the SDK's files, the card form and the checkout. */
export function sdkReleasesDomain({ config }: Platform, needs: Needs): Domain<SdkReleasesApi> {
  const { releases, merchants, viewOf } = needs
  const tokensUrl = `${config.baseUrl}/v1/payment_sources/tokens`
  return {
    api: { recommendedRelease: createSdkFor({ ...config, releases }) },
    addRoutes(app) {
      addFileRoutes(app, releases)
      addFrameRoutes(app, releases, {
        ...config,
        tokensUrl,
        setupFor: createSetupFor({ merchants, tokensUrl }),
      })
      addCheckoutRoutes(app, releases, { ...config, tokensUrl, viewOf })
    },
    jobs: [],
  }
}
