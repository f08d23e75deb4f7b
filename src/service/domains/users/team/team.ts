import type { Role } from '../../../../contract/dashboard/people/role.ts'
import type { InvitationRequest } from '../../../../contract/dashboard/people/team.ts'
import type { Database, Queries } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { SessionChanges } from '../sessions/session-changes.ts'
import type { Act, AddActEvent } from '../user-events.ts'
import type { InvitationStore } from './invitation-store.ts'
import type { Invite, MadeInvitation } from './invite.ts'
import type { MemberStore } from './member-store.ts'
import { createOwnerRules } from './owner-rules.ts'

interface Parts {
  database: Pick<Database, 'transaction'>
  members: MemberStore
  invitations: Pick<InvitationStore, 'revoke' | 'revokeAllBy' | 'countOthers'>
  invite: Invite
  sessions: Pick<SessionChanges, 'endAtMerchant' | 'isThere'>
  addActEvent: AddActEvent
}

/** Open invitations of one merchant: each is a way in, and an owner's session alone makes them. */
export const MAX_INVITATIONS = 50

/**
 * What an owner does with the team of the merchant in view. Throws `forbidden` where the person is no longer an owner when the
 * change begins, `unauthorized` where the session has ended by then. The invitations of somebody who stops being an owner are revoked: they would be a way back.
 */
export interface Team {
  /** Throws `unfulfilled_condition` for somebody who is in the team already, and where too many invitations are open. */
  invite: (act: Act, request: InvitationRequest) => Promise<MadeInvitation>
  /** Throws `not_found` when the merchant has no such open invitation. */
  revoke: (act: Act, invitationId: string) => Promise<void>
  /** Throws `not_found` for somebody outside the team, `unfulfilled_condition` for the last owner; `remove` too. */
  changeRole: (act: Act, userId: string, role: Role) => Promise<void>
  /** The person's sessions at this merchant end at once; those at others go on. */
  remove: (act: Act, userId: string) => Promise<void>
}

export function createTeam({ database, members, invitations, invite, sessions, addActEvent }: Parts): Team {
  const { requireOwner, requireAnotherOwner } = createOwnerRules(members, sessions)
  const revokeInvitationsBy = async (queries: Queries, act: Act, userId: string) => {
    const revoked = await invitations.revokeAllBy(queries, userId, act.session.merchantId)
    for (const { id, email, role } of revoked)
      await addActEvent(queries, act, 'invitation.revoked', { email, role }, id)
  }
  return {
    invite: (act, { email, role }) =>
      database.transaction(async (queries) => {
        const { merchantId, user } = act.session
        if (await members.hasEmail(queries, merchantId, email))
          throw new ServiceError('unfulfilled_condition', 'This person is in the team already.')
        // Of two who invite at once one waits here, so that both are counted.
        await requireOwner(queries, act)
        if ((await invitations.countOthers(queries, merchantId, email)) >= MAX_INVITATIONS)
          throw new ServiceError(
            'unfulfilled_condition',
            `There are ${MAX_INVITATIONS} open invitations, which is the most. Revoke one first.`,
          )
        const made = await invite(queries, { merchantId, email, role, invitedBy: user.id })
        if (made === null) throw new Error('the merchant in view is gone')
        await addActEvent(queries, act, 'member.invited', { email, role }, made.id)
        return made
      }),
    revoke: (act, invitationId) =>
      database.transaction(async (queries) => {
        const revoked = await invitations.revoke(queries, act.session.merchantId, invitationId)
        if (revoked === null) throw new ServiceError('not_found', 'There is no such open invitation.')
        await addActEvent(queries, act, 'invitation.revoked', revoked, invitationId)
      }),
    changeRole: (act, userId, role) =>
      database.transaction(async (queries) => {
        const { merchantId } = act.session
        if (role === 'owner') await requireOwner(queries, act)
        else await requireAnotherOwner(queries, act, userId)
        if (!(await members.changeRole(queries, merchantId, userId, role))) throw noMember()
        if (role !== 'owner') await revokeInvitationsBy(queries, act, userId)
        await addActEvent(queries, act, 'member.role_changed', { role }, userId)
      }),
    remove: (act, userId) =>
      database.transaction(async (queries) => {
        const { merchantId } = act.session
        await requireAnotherOwner(queries, act, userId)
        if (!(await members.remove(queries, merchantId, userId))) throw noMember()
        await revokeInvitationsBy(queries, act, userId)
        const ended = await sessions.endAtMerchant(queries, userId, merchantId)
        await addActEvent(queries, act, 'member.removed', { sessions_ended: ended }, userId)
      }),
  }
}

function noMember(): ServiceError {
  return new ServiceError('not_found', 'There is no such person in the team.')
}
