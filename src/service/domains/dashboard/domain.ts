import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import { addFileRoutes } from './dashboard-files.ts'
import type { DashboardDeps } from './deps.ts'
import { addDashboardRoutes } from './routes.ts'

/** The dashboard: its document and files, and the routes of its API that no other domain has. */
export function dashboardDomain(deps: DashboardDeps): Domain<null> {
  return {
    api: null,
    addRoutes: noRoutes,
    addDashboardRoutes: (app, { sessionOf }) => {
      addFileRoutes(app, deps.files, deps.widgetUrl)
      addDashboardRoutes(app, deps, sessionOf)
    },
    jobs: [],
  }
}
