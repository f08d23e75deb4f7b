import type { PciKit } from '../../../contract/dashboard/company/pci.ts'
import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import { addAuditRoutes } from './audit/audit-routes.ts'
import type { EventsForPeople } from './audit/audit-routes.ts'
import { addClientRoutes } from './company/client-routes.ts'
import type { ClientsForPeople } from './company/clients-for-people.ts'
import type { GatewaysForPeople } from './company/gateways-for-people.ts'
import type { MerchantsForPeople } from './company/merchants-for-people.ts'
import { addCompanyRoutes, addPciRoute } from './company/company-routes.ts'
import { addGatewayRoutes } from './company/gateway-routes.ts'
import { addKeyRoutes } from './company/key-routes.ts'
import type { DashboardFiles } from './shell/dashboard-files.ts'
import { addShellRoutes } from './shell/shell-routes.ts'

interface Needs {
  /** Null where the dashboard was not built. */
  files: DashboardFiles | null
  /** Origin that the SDK is served from. */
  widgetUrl: string
  merchants: MerchantsForPeople
  clients: ClientsForPeople
  gateways: GatewaysForPeople
  events: EventsForPeople
  /** Null where there is no release of the SDK. */
  pciKit: PciKit | null
}

/** The dashboard: its document and files, and those parts of its API that are no other domain's. */
export function dashboardDomain({ files, widgetUrl, ...needs }: Needs): Domain<null> {
  return {
    api: null,
    addRoutes: noRoutes,
    addDashboardRoutes: (app, { sessionOf }) => {
      const parts = { ...needs, sessionOf }
      addShellRoutes(app, { files, widgetUrl })
      addCompanyRoutes(app, parts)
      addKeyRoutes(app, parts)
      addClientRoutes(app, parts)
      addGatewayRoutes(app, parts)
      addPciRoute(app, needs.pciKit)
      addAuditRoutes(app, parts)
    },
    jobs: [],
  }
}
