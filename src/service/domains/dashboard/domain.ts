import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import { addShellRoutes } from './shell/shell-routes.ts'
import type { DashboardFiles } from './shell/dashboard-files.ts'

interface Needs {
  /** Null where the dashboard was not built. */
  files: DashboardFiles | null
}

/** The dashboard: its document and files, and those parts of its API that are no other domain's. */
export function dashboardDomain({ files }: Needs): Domain<null> {
  return {
    api: null,
    addRoutes: noRoutes,
    addDashboardRoutes: (app) => addShellRoutes(app, files),
    jobs: [],
  }
}
