import type { PciKit } from '../../../contract/dashboard/company/pci.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import { addAuthenticationDocument } from './authentication-document.ts'
import { addCheckoutRoutes } from './checkout-document.ts'
import type { CheckoutView } from './checkout-document.ts'
import { addFrameRoutes } from './card-form-document.ts'
import type { FrameMerchants } from './card-form-document.ts'
import { pciKitOf } from './pci-kit.ts'
import { addPreviewRoutes } from './preview-document.ts'
import { recommendedSdk } from './release.ts'
import type { RecommendedSdk, Release } from './release.ts'
import { addFileRoutes } from './release-files.ts'

interface Needs {
  /** Every SDK release that is served. */
  releases: readonly Release[]
  /** The script of the document that previews the card form; null if it was not built. */
  previewScript: string | null
  merchants: FrameMerchants & {
    find: (id: string) => Promise<{ allowedOrigins: readonly string[] } | null>
  }
  /** Null for an unknown intent. */
  viewOf: (intentId: string) => Promise<CheckoutView | null>
  /** Whose an authentication is; null for an unknown one. */
  merchantOfAuthentication: (id: string) => Promise<string | null>
}

interface SdkReleasesApi {
  /** The SDK that a page should load for a workflow version; null if no release serves it. */
  recommendedRelease: (workflowVersion: number) => RecommendedSdk | null
  /** For the release in use; null if there is none. */
  pciKit: PciKit | null
}

/** What a page loads: the SDK's files, and the documents of card form, checkout and a bank's step. */
export function sdkReleasesDomain({ config, timeOfDay }: Platform, needs: Needs): Domain<SdkReleasesApi> {
  const { releases, previewScript, merchants, viewOf, merchantOfAuthentication } = needs
  const { environment, widgetUrl, baseUrl, dashboardUrl } = config
  const offered = { releases, environment, widgetUrl }
  const today = () => new Date(timeOfDay.epochMs()).toISOString().slice(0, 10)
  const tokensUrl = `${baseUrl}/v1/payment_sources/tokens`
  const previewAncestors = [dashboardUrl, widgetUrl]
  return {
    api: {
      recommendedRelease: (workflowVersion) => recommendedSdk(offered, workflowVersion),
      pciKit: pciKitOf(offered),
    },
    addRoutes(app) {
      addFileRoutes(app, releases)
      addFrameRoutes(app, releases, { merchants, tokensUrl, widgetUrl, today, previewAncestors })
      addPreviewRoutes(app, releases, { widgetUrl, dashboardUrl, script: previewScript })
      addAuthenticationDocument(app, releases, {
        widgetUrl,
        baseUrl,
        isSandbox: environment === 'sandbox',
        ancestorsOf: async (id) => {
          const merchantId = await merchantOfAuthentication(id)
          const merchant = merchantId === null ? null : await merchants.find(merchantId)
          return merchant?.allowedOrigins ?? null
        },
      })
      addCheckoutRoutes(app, releases, { widgetUrl, baseUrl, tokensUrl, today, viewOf })
    },
    jobs: [],
  }
}
