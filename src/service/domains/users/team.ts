import type { Role } from '../../../contract/dashboard/people/role.ts'
import type { InvitationRequest } from '../../../contract/dashboard/people/team.ts'
import type { Queries } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import { notSignedIn } from '../../platform/http/callers/session.ts'
import type { UsersDeps } from './deps.ts'
import { countOtherInvitations, revokeInvitation, revokeInvitationsFrom } from './invitation-store.ts'
import { makeInvitation } from './invitations.ts'
import type { MadeInvitation } from './invitations.ts'
import { hasMember, lockOwners, removeMember, setRole } from './member-store.ts'
import { endSessionsAtMerchant, hasSession } from './session-store.ts'
import type { UserContext } from './user-context.ts'
import { addEventBy } from './user-events.ts'

/** How many invitations of one merchant may be open. Each is a way in, and a stolen session of an owner can make them. */
export const MAX_INVITATIONS = 50

/** Invites a person by a link. Throws `unfulfilled_condition` for somebody in the team, and if too many invitations are open. */
export async function inviteMember(
  deps: UsersDeps,
  context: UserContext,
  { email, role }: InvitationRequest,
): Promise<MadeInvitation> {
  const { merchantId, user } = context.session
  return deps.database.transaction(async (queries) => {
    if (await hasMember(queries, merchantId, email))
      throw new ServiceError('unfulfilled_condition', 'This person is in the team already.')
    // Two who invite at once take turns from here on, so that the limit counts both.
    await requireOwner(queries, context)
    if ((await countOtherInvitations(queries, merchantId, email)) >= MAX_INVITATIONS)
      throw new ServiceError(
        'unfulfilled_condition',
        `There are ${MAX_INVITATIONS} open invitations, which is the most. Revoke one first.`,
      )
    const made = await makeInvitation(deps, queries, { merchantId, email, role, invitedBy: user.id })
    if (made === null) throw new Error('the merchant in view is gone')
    await addEventBy(deps, queries, context, 'member.invited', { email, role }, made.id)
    return made
  })
}

/** Throws `not_found` if the merchant has no such open invitation. */
export async function revokeInvitationOfTeam(
  deps: UsersDeps,
  context: UserContext,
  invitationId: string,
): Promise<void> {
  await deps.database.transaction(async (queries) => {
    const revoked = await revokeInvitation(queries, context.session.merchantId, invitationId)
    if (revoked === null) throw new ServiceError('not_found', 'There is no such open invitation.')
    await addEventBy(deps, queries, context, 'invitation.revoked', revoked, invitationId)
  })
}

/** Throws `not_found` for somebody outside the team, and `unfulfilled_condition` for the last owner. */
export async function changeRole(
  deps: UsersDeps,
  context: UserContext,
  userId: string,
  role: Role,
): Promise<void> {
  await deps.database.transaction(async (queries) => {
    if (role === 'owner') await requireOwner(queries, context)
    else await requireAnotherOwner(queries, context, userId)
    if (!(await setRole(queries, context.session.merchantId, userId, role))) throw noMember()
    if (role !== 'owner') await revokeInvitationsOfFormerOwner(deps, queries, context, userId)
    await addEventBy(deps, queries, context, 'member.role_changed', { role }, userId)
  })
}

/** Also ends the person's sessions at this merchant. Throws as `changeRole` does. */
export async function removeFromTeam(deps: UsersDeps, context: UserContext, userId: string): Promise<void> {
  const { merchantId } = context.session
  await deps.database.transaction(async (queries) => {
    await requireAnotherOwner(queries, context, userId)
    if (!(await removeMember(queries, merchantId, userId))) throw noMember()
    await revokeInvitationsOfFormerOwner(deps, queries, context, userId)
    const ended = await endSessionsAtMerchant(queries, userId, merchantId)
    await addEventBy(deps, queries, context, 'member.removed', { sessions_ended: ended }, userId)
  })
}

/**
 * The merchant's owners, who stay the same until the transaction ends. Throws `forbidden` if the person has stopped being one
 * since the request came, `unauthorized` if the session has ended.
 */
async function requireOwner(queries: Queries, { session }: UserContext): Promise<readonly string[]> {
  const owners = await lockOwners(queries, session.merchantId)
  if (!owners.includes(session.user.id)) throw new ServiceError('forbidden', 'You are not an owner any more.')
  if (!(await hasSession(queries, session.sessionId))) throw notSignedIn()
  return owners
}

async function requireAnotherOwner(queries: Queries, context: UserContext, userId: string): Promise<void> {
  const owners = await requireOwner(queries, context)
  if (owners.length === 1 && owners[0] === userId)
    throw new ServiceError(
      'unfulfilled_condition',
      'This is the last owner. Make somebody else an owner first.',
    )
}

/** One of these invitations could let the former owner back in. */
async function revokeInvitationsOfFormerOwner(
  deps: UsersDeps,
  queries: Queries,
  context: UserContext,
  userId: string,
): Promise<void> {
  const revoked = await revokeInvitationsFrom(queries, userId, context.session.merchantId)
  for (const { id, email, role } of revoked)
    await addEventBy(deps, queries, context, 'invitation.revoked', { email, role }, id)
}

function noMember(): ServiceError {
  return new ServiceError('not_found', 'There is no such person in the team.')
}
