import type { AgreementResource } from '../../../contract/api/agreements/agreement-resource.ts'
import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { FindNeeds } from '../../platform/listing/needs-attention.ts'
import type { Platform } from '../../platform/platform.ts'
import type { PaymentNetwork } from '../payment-network/payment-network.ts'
import { suspendedAgreements } from './agreement-list.ts'
import { agreementAfterEvent } from './agreements.ts'
import { addPaymentDashboardRoutes } from './dashboard-routes.ts'
import type { AgreementsDeps } from './deps.ts'
import { agreementJobs } from './jobs.ts'
import { paymentAfterEvent } from './payments.ts'
import { addAgreementRoutes } from './routes.ts'

export interface AgreementsApi {
  /** What an event is about, on the wire, as it was right after the event. */
  asOfEvents: {
    agreement: (event: { id: string; subject: string }) => Promise<AgreementResource>
    payment: (event: { type: string; subject: string }) => Promise<object>
  }
  suspended: FindNeeds
}

/** Agreements: a payer's standing authority to be paid from its bank account. */
export function agreementsDomain(platform: Platform, network: PaymentNetwork): Domain<AgreementsApi> {
  const { database, createId, timeOfDay, textVault: vault, log } = platform
  const deps: AgreementsDeps = { database, network, vault, createId, timeOfDay, log }
  return {
    api: {
      asOfEvents: {
        agreement: (event) => agreementAfterEvent(deps, event),
        payment: (event) => paymentAfterEvent(deps, event),
      },
      suspended: (merchantId) => suspendedAgreements(database, merchantId),
    },
    addMerchantRoutes: (app, access) => addAgreementRoutes(app, deps, access),
    addRoutes: noRoutes,
    addDashboardRoutes: (app, access) => addPaymentDashboardRoutes(app, deps, access),
    jobs: agreementJobs(platform, deps),
  }
}
