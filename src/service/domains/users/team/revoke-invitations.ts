import type { Actor } from '../../../../contract/dashboard/audit.ts'
import type { Queries } from '../../../platform/database/database.ts'
import type { AddUserEvent } from '../user-events.ts'
import type { InvitationStore, RevokedInvitation } from './invitation-store.ts'

interface Parts {
  stores: { invitations: Pick<InvitationStore, 'revokeAllBy'>; addEvent: AddUserEvent }
  actor: Actor
}

/** Each would be a way back for whoever had the account. */
export async function revokeInvitationsBy(
  parts: Parts,
  queries: Queries,
  userId: string,
): Promise<RevokedInvitation[]> {
  const revoked = await parts.stores.invitations.revokeAllBy(queries, userId)
  await recordRevoked(parts, queries, revoked)
  return revoked
}

/** Each in the audit log. */
export async function recordRevoked(
  { stores: { addEvent }, actor }: Parts,
  queries: Queries,
  revoked: readonly RevokedInvitation[],
): Promise<void> {
  for (const { id, merchantId, email, role } of revoked) {
    const event = { merchantId, type: 'invitation.revoked', subject: id, actor } as const
    await addEvent(queries, { ...event, facts: { email, role } })
  }
}
