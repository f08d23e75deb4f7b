import type { Platform } from '../../platform/platform.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import { createAdministration } from './administration.ts'
import type { Administration } from './administration.ts'
import { createPasswordHashes } from './passwords/hash-passwords.ts'
import { createStores } from './stores.ts'
import { createInvite } from './team/invite.ts'

interface Needs extends Pick<Platform, 'database' | 'createId' | 'textVault'> {
  writeEvent: WriteEvent
  dashboardUrl: string
  actor: string
}

/** What operators do with people who log in, beside a running service. */
export function openAdministration(needs: Needs): Administration {
  const { database, createId, writeEvent, dashboardUrl, actor } = needs
  const stores = createStores(needs, writeEvent)
  const invite = createInvite({ store: stores.invitations, createId, dashboardUrl })
  return createAdministration({ database, stores, invite, hashes: createPasswordHashes(), createId, actor })
}
