import type { PciKit } from '../../../contract/dashboard/company/pci.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import { addFileRoutes } from './release-files.ts'
import { addCheckoutRoutes } from './framed-documents/checkout-routes.ts'
import type { CheckoutView } from './framed-documents/checkout-routes.ts'
import { addFrameRoutes } from './framed-documents/frame-routes.ts'
import { createFrameSetup } from './framed-documents/frame-setup.ts'
import type { FrameMerchants } from './framed-documents/frame-setup.ts'
import { pciKitOf } from './pci-kit.ts'
import { addPreviewRoutes } from './framed-documents/preview-routes.ts'
import { createRecommendedSdk } from './recommended-sdk.ts'
import type { Release } from './release.ts'

interface Needs {
  /** Every SDK release that is served. */
  releases: readonly Release[]
  /** What runs in the document that previews the card form; null where it was not built. */
  previewScript: string | null
  merchants: FrameMerchants
  /** Null for an intent that is not known. */
  viewOf: (intentId: string) => Promise<CheckoutView | null>
}

export interface SdkReleasesApi {
  /** The SDK that a page should load for a workflow version; null when no release serves it. */
  recommendedRelease: ReturnType<typeof createRecommendedSdk>
  /** Of the release in use; null where there is none. */
  pciKit: PciKit | null
}

/** What a page loads: the SDK's files, and the documents of card form and checkout. */
export function sdkReleasesDomain({ config, timeOfDay }: Platform, needs: Needs): Domain<SdkReleasesApi> {
  const { releases, previewScript, merchants, viewOf } = needs
  const { environment, widgetUrl, baseUrl, dashboardUrl } = config
  const today = () => new Date(timeOfDay.epochMs()).toISOString().slice(0, 10)
  const tokensUrl = `${baseUrl}/v1/payment_sources/tokens`
  return {
    api: {
      recommendedRelease: createRecommendedSdk({ releases, environment, widgetUrl }),
      pciKit: pciKitOf({ releases, environment, widgetUrl }),
    },
    addRoutes(app) {
      const setupFor = createFrameSetup({
        merchants,
        tokensUrl,
        widgetUrl,
        today,
        previewAncestors: [dashboardUrl, widgetUrl],
      })
      addFileRoutes(app, releases)
      addFrameRoutes(app, releases, { widgetUrl, setupFor })
      addPreviewRoutes(app, releases, { widgetUrl, dashboardUrl, script: previewScript })
      addCheckoutRoutes(app, releases, { widgetUrl, baseUrl, tokensUrl, today, viewOf })
    },
    jobs: [],
  }
}
