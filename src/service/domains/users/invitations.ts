import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { Role } from '../../../contract/dashboard/people/role.ts'
import type { Queries } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import { actorOf } from '../../platform/http/callers/session.ts'
import type { AdministrationDeps } from './deps.ts'
import { addInvitation, findInvitation, revokeInvitationsFrom, takeInvitation } from './invitation-store.ts'
import type { Invitation, RevokedInvitation } from './invitation-store.ts'
import { addMember } from './member-store.ts'
import { createSecret } from './one-time-secret.ts'
import type { Requester } from './user-context.ts'
import { addUserEvent, factsOf } from './user-events.ts'

/** A new invitation. Its link is shown here once and never again. */
export interface MadeInvitation {
  id: string
  link: string
  endsAt: Date
}

interface Wanted {
  merchantId: string
  email: string
  role: Role
  /** Without it, an operator invites. */
  invitedBy?: string
  /** The member who sets a new password by this link. */
  resetsUserId?: string
}

/** Makes a link that works once, for seven days. Null if there is no such merchant. */
export async function makeInvitation(
  { createId, dashboardUrl }: AdministrationDeps,
  queries: Queries,
  { invitedBy, resetsUserId, ...wanted }: Wanted,
): Promise<MadeInvitation | null> {
  const [id, token] = [createId(), createSecret('invitation')]
  const invitation = { ...wanted, invitedBy: invitedBy ?? null, resetsUserId: resetsUserId ?? null }
  const endsAt = await addInvitation(queries, { id, token, ...invitation })
  // Browsers send nothing after `#`, so no server or proxy logs the token.
  return endsAt === null ? null : { id, link: `${dashboardUrl}/invitation#${token}`, endsAt }
}

/** The open invitation of a link. Throws `not_found` if it is unknown, used or expired. */
export async function readInvitation(queries: Queries, token: string): Promise<Invitation> {
  const invitation = await findInvitation(queries, token)
  if (invitation === null) throw invalidInvitation()
  return invitation
}

interface Joining {
  invitationId: string
  userId: string
  requester: Requester
}

/** Uses up an invitation and adds its person to the team. Throws `not_found` if it is not open any more. */
export async function joinTeam(
  deps: AdministrationDeps,
  queries: Queries,
  { invitationId, userId, requester }: Joining,
): Promise<void> {
  const taken = await takeInvitation(queries, invitationId)
  if (taken === null) throw invalidInvitation()
  const { merchantId, role } = taken
  if (!(await addMember(queries, merchantId, userId, role))) return
  await addUserEvent(deps, queries, {
    merchantId,
    type: 'member.joined',
    subject: userId,
    actor: actorOf({ user: { id: userId } }),
    facts: { ...factsOf(requester), invitation_id: invitationId, role },
  })
}

/** Revokes the invitations that a user sent, at every merchant. One could let an intruder back in. */
export async function revokeSentInvitations(
  deps: AdministrationDeps,
  queries: Queries,
  userId: string,
  actor: Actor,
): Promise<RevokedInvitation[]> {
  const revoked = await revokeInvitationsFrom(queries, userId)
  await recordRevoked(deps, queries, revoked, actor)
  return revoked
}

/** Adds each revoked invitation to the audit log. */
export async function recordRevoked(
  deps: AdministrationDeps,
  queries: Queries,
  revoked: readonly RevokedInvitation[],
  actor: Actor,
): Promise<void> {
  for (const { id, merchantId, email, role } of revoked) {
    const event = { merchantId, type: 'invitation.revoked', subject: id, actor } as const
    await addUserEvent(deps, queries, { ...event, facts: { email, role } })
  }
}

/** Every invalid link has the same words, so that nobody learns which ones existed. */
export function invalidInvitation(): ServiceError {
  return new ServiceError(
    'not_found',
    'This link is not good any more: it was used or revoked, or is older than seven days. Ask for a new one.',
  )
}
