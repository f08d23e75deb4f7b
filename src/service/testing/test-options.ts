import type { DashboardFiles } from '../domains/dashboard/dashboard-files.ts'
import type { Gateway } from '../domains/gateways/gateway.ts'
import type { PaymentNetwork } from '../domains/payment-network/payment-network.ts'
import type { Release } from '../domains/sdk-releases/release.ts'
import type { Database } from '../platform/database/database.ts'
import type { DatabaseClock } from '../platform/database/database-clock.ts'
import type { FindSession } from '../platform/http/callers/session.ts'
import type { MasterKeys } from '../platform/vault/key-stores/master-keys.ts'

/** The parts of a test service that replace its usual ones. */
export interface TestOptions {
  /** Environment variables. */
  settings?: Record<string, string>
  gateways?: Record<string, Gateway>
  network?: PaymentNetwork
  releases?: readonly Release[]
  dashboardFiles?: DashboardFiles
  previewScript?: string
  findSession?: FindSession
  /** The database of another service, beside which this one then runs. */
  database?: Database
  masterKeys?: MasterKeys
  timeOfDay?: DatabaseClock
  gatewayTimeoutMs?: number
  networkTimeoutMs?: number
  settleMs?: number
  webhookTimeoutMs?: number
}
