import type { Actor } from '../../../contract/dashboard/audit.ts'
import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import { createKeyUses } from './key-uses.ts'
import { createMerchantStore } from './merchant-store.ts'
import { createMerchants } from './merchants.ts'
import type { Merchants } from './merchants.ts'

interface Needs {
  writeEvent: WriteEvent
}

export interface MerchantsApi extends Merchants {
  /** The same, acting in somebody's name: what is changed by it says so in the audit log. */
  inNameOf: (actor: Actor) => Merchants
}

/** Merchants, their keys and gateways. Operators change them by command, and merchants on the dashboard. */
export function merchantsDomain(platform: Platform, { writeEvent }: Needs): Domain<MerchantsApi> {
  const { database, createId, textVault: vault, clock, config } = platform
  const { environment } = config
  const inNameOf = (actor: Actor) => {
    const store = createMerchantStore(database, { writeEvent, createId, actor })
    return createMerchants({ store, vault, createId, clock, environment })
  }
  const own = inNameOf('service')
  const uses = createKeyUses(database)
  const holderOf = uses.remembering(own.keys.holderOf)
  return {
    api: { ...own, keys: { ...own.keys, holderOf }, ofKey: holderOf, inNameOf },
    addRoutes: noRoutes,
    jobs: [{ name: 'note uses of keys', everyMs: 60_000, work: uses.write }],
  }
}
