import * as v from 'valibot'
import { origin, portNumber } from './setting-schemas.ts'

/** Where the dashboard is: the port of its listener, and the origin at which browsers reach it. */
export interface DashboardSettings {
  /** Null: it is not served. */
  dashboardPort: number | null
  dashboardUrl: string
}

/** The dashboard's settings, as environment variables. */
export const dashboardVariables = {
  SVC_DASHBOARD_PORT: v.optional(portNumber),
  SVC_DASHBOARD_URL: v.optional(origin),
}

interface Settings {
  SVC_PORT: number
  SVC_ENVIRONMENT: string
  SVC_DASHBOARD_PORT?: number | undefined
  SVC_DASHBOARD_URL?: string | undefined
}

const DEFAULT_PORT = 8070

/**
 * Where the dashboard is, or in one line why these settings are refused. Outside sandbox it is served only once its URL is set:
 * passwords travel to it, and no listener opens that the operator did not ask for. `origins`: those of the API and of the SDK.
 */
export function dashboardSettingsOf(
  settings: Settings,
  origins: readonly string[],
): DashboardSettings | string {
  const { SVC_DASHBOARD_PORT: setPort, SVC_DASHBOARD_URL: setUrl } = settings
  const isSandbox = settings.SVC_ENVIRONMENT === 'sandbox'
  const port = setPort ?? DEFAULT_PORT
  const url = setUrl ?? `http://localhost:${String(port)}`
  if (setUrl === undefined && !isSandbox)
    return setPort === undefined
      ? { dashboardPort: null, dashboardUrl: url }
      : 'SVC_DASHBOARD_URL must be set outside sandbox, where SVC_DASHBOARD_PORT is'
  if (!isSandbox && !url.startsWith('https:')) return 'SVC_DASHBOARD_URL must be https outside sandbox'
  if (port === settings.SVC_PORT && port !== 0) return 'SVC_DASHBOARD_PORT must be another port than SVC_PORT'
  if (origins.some((other) => other.toLowerCase() === url.toLowerCase()))
    return 'SVC_DASHBOARD_URL must be another origin than SVC_BASE_URL and SVC_WIDGET_URL'
  return { dashboardPort: port, dashboardUrl: url }
}
