import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import { createMerchantStore } from './merchant-store.ts'
import { createMerchants } from './merchants.ts'
import type { Merchants } from './merchants.ts'

interface Needs {
  writeEvent: WriteEvent
}

/** Merchants, their keys and gateways. Operators change them by command; they have no routes. */
export function merchantsDomain(platform: Platform, { writeEvent }: Needs): Domain<Merchants> {
  const { database, createId, textVault, clock, config } = platform
  const store = createMerchantStore(database, { writeEvent, createId, actor: 'service' })
  const api = createMerchants({ store, vault: textVault, createId, clock, environment: config.environment })
  return { api, addRoutes: noRoutes, jobs: [] }
}
