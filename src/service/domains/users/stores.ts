import { createAddEvent } from '../../platform/add-event.ts'
import type { Platform } from '../../platform/platform.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import { createAccountStore } from './account-store.ts'
import { createChallengeStore } from './passkeys/challenge-store.ts'
import { createPasskeyStore } from './passkeys/passkey-store.ts'
import { createTotpStore } from './second-factors/totp-store.ts'
import { createSessionChanges } from './sessions/session-changes.ts'
import { createSessionReads } from './sessions/session-reads.ts'
import { createInvitationStore } from './team/invitation-store.ts'
import { createMemberStore } from './team/member-store.ts'
import { createAddActEvent } from './user-events.ts'
import type { AddUserEvent } from './user-events.ts'

/** Everything that the domain keeps, and how its events are written. */
export function createStores(
  { database, createId, textVault }: Pick<Platform, 'database' | 'createId' | 'textVault'>,
  writeEvent: WriteEvent,
) {
  const addEvent: AddUserEvent = createAddEvent(writeEvent, createId)
  return {
    accounts: createAccountStore(database),
    sessionReads: createSessionReads(database),
    sessionChanges: createSessionChanges(createId),
    totp: createTotpStore(database, textVault),
    passkeys: createPasskeyStore(database),
    challenges: createChallengeStore(database),
    invitations: createInvitationStore(database),
    members: createMemberStore(database),
    addEvent,
    addActEvent: createAddActEvent(addEvent),
  }
}

export type Stores = ReturnType<typeof createStores>
