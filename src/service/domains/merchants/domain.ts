import type { Actor } from '../../../contract/dashboard/audit.ts'
import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import type { KeyKind } from './api-key.ts'
import { createKeyUseRecorder } from './keys.ts'
import { createMerchants } from './merchants.ts'
import type { Merchants } from './merchants.ts'

export interface MerchantsApi extends Merchants {
  /** The same in somebody's name, which the audit log then shows. */
  inNameOf: (actor: Actor) => Merchants
}

/** Merchants, their keys and gateways. Operators change them by command, and merchants on the dashboard. */
export function merchantsDomain(platform: Platform): Domain<MerchantsApi> {
  const { environment } = platform.config
  const inNameOf = (actor: Actor) => createMerchants({ ...platform, environment, actor })
  const own = inNameOf('service')
  const uses = createKeyUseRecorder(platform.database)
  const holderOf = async (key: string, kind: KeyKind) => {
    const holder = await own.keys.holderOf(key, kind)
    if (holder !== null) uses.add(key)
    return holder
  }
  return {
    api: { ...own, keys: { ...own.keys, holderOf }, inNameOf },
    addRoutes: noRoutes,
    jobs: [{ name: 'note uses of keys', everyMs: 60_000, work: uses.write }],
  }
}
